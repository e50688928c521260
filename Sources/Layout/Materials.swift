public import Pictures
public import Typesetting

/// What display lists are laid out and painted with: the same for both. One thread uses it.
public final class Materials {
  /// Fonts, and text set in them.
  public let typesetter: Typesetter
  /// Pictures from files.
  public let pictures: PictureShelf
  /// Texts that were laid out.
  var flows = FlowMemo()

  /// Opens the default font, as `Typesetter` does; `fontMemory` is the file that remembers it.
  public init(fontMemory: String? = nil, pictures: PictureShelf = PictureShelf()) throws(TypesettingError) {
    typesetter = try Typesetter(fontMemory: fontMemory)
    self.pictures = pictures
  }
}
