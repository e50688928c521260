import Geometry
import Pictures
import Typesetting

/// An image at its place.
struct PlacedPicture {
  var item: ImageItem
  /// The words that mark an old version of the file; nil for the current one.
  var mark: String?
}

/// The version of a file that is shown while the file cannot be read.
struct LastVersion {
  var picture: ImageID
  /// The name of the file and the time of its last change, in the language of the display.
  var mark: String
  /// The reason why the current file is not shown, as a sentence.
  var warning: String
}

extension LayoutContext {
  /// Draws an image, and its mark, if there is room for it, on a panel in the lower left corner of its visible part.
  mutating func draw(_ picture: PlacedPicture) throws(TypesettingError) {
    items.append(.picture(picture.item))
    guard let mark = picture.mark else { return }
    let box = picture.item.ink
    let padding = gap / 2
    let room = Size(box.width - 2 * padding, box.height / 3 - 2 * padding)
    // Too small for legible words.
    guard room.height >= pixels(LayoutRules.Common.caption[breakpoint].smallest * 1.5) else { return }
    let words = try fit(plain(mark), room, LayoutRules.Common.caption[breakpoint], mostLines: 2)
    let ground = Rect(
      x: box.x, y: box.bottom - words.size.height - 2 * padding, width: words.ink.width + 2 * padding,
      height: words.size.height + 2 * padding)
    fill(ground, background)
    draw(words, x: ground.x + padding, y: ground.y + padding)
  }
}
