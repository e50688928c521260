import Geometry
import Scenes
import Typesetting

extension LayoutContext {
  /// Lays out an image over the whole display, or a placeholder with the file's name if it cannot be shown.
  mutating func layOut(_ image: ImagePanel) throws(TypesettingError) {
    if var picture = picture(image.path, in: Rect(size).moved(x: shift.x, y: shift.y), image.fit) {
      picture.item.clip = picture.item.clip?.intersection(Rect(size))
      return try draw(picture)
    }
    let name = image.path.split(separator: "/").last.map(String.init) ?? image.path
    let title = try fit(
      plain(name), Size(area.width * 3 / 4, area.height / 3), LayoutRules.Common.heading[breakpoint], .center,
      mostLines: 2)
    let words = try fit(
      plain("cannot be shown"), Size(area.width * 3 / 4, area.height / 4), LayoutRules.Common.caption[breakpoint],
      .center, mostLines: 1)
    var stack = Stack()
    let sign = pixels(180)
    stack.add(
      missingPicture(Rect(x: (title.size.width - sign) / 2, y: 0, width: sign, height: sign * 3 / 4)),
      height: sign * 3 / 4)
    stack.add(title, gap: gap)
    stack.add(words, quiet, gap: gap / 4)
    let box = area.middle(Size(title.size.width, stack.height))
    stack.draw(on: &self, x: box.x, y: box.y)
  }

  /// Returns the icon of the placeholder, a framed landscape with a sun above a horizon.
  private func missingPicture(_ frame: Rect) -> [FillItem] {
    let edge = line(8)
    let inner = frame.inset(by: edge)
    let sun = frame.height / 5
    return [
      FillItem(rect: frame, color: faint, cornerRadius: pixels(18)),
      FillItem(rect: inner, color: background, cornerRadius: max(0, pixels(18) - edge)),
      FillItem(
        rect: Rect(x: inner.x + sun, y: inner.y + sun * 2 / 3, width: sun, height: sun), color: faint,
        cornerRadius: sun / 2),
      FillItem(
        rect: Rect(x: inner.x + sun, y: inner.bottom - sun, width: inner.width - 2 * sun, height: edge), color: faint,
        cornerRadius: edge / 2),
    ]
  }
}
