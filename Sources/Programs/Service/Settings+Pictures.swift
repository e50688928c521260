import Configuration
import Pictures
import Scenes

extension Settings {
  /// The files that scenes may show in addition to uploads.
  ///
  /// These are the configured folders, and the folders and files that the configured scenes show.
  var pictureFolders: ImageFolders {
    ImageFolders(folders + scenes.flatMap(\.pictureFolders), files: scenes.flatMap(\.pictureFiles))
  }
}
