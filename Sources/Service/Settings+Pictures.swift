import Configuration
import Pictures
import Scenes

extension Settings {
  /// The files that scenes may show, beside those that were uploaded: those of the folders that the settings name, and what
  /// the settings' own scenes show.
  var pictureFolders: PictureFolders {
    PictureFolders(folders + scenes.compactMap(\.pictureFolder), files: scenes.compactMap(\.pictureFile))
  }
}
