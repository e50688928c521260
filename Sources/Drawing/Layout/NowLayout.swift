import Geometry
import Scenes
import Typesetting

extension LayoutContext {
  /// Lays out the current item: an image, and beside it (on tall displays below it) the title, two lines and a progress
  /// bar.
  ///
  /// A line without enough room is left out; the second line takes precedence over the detail.
  ///
  /// - Parameter now: The content.
  /// - Throws: `TypesettingError`.
  mutating func layOut(_ now: NowPlaying) throws(TypesettingError) {
    var box = area
    let isStacked = LayoutRules.Now.isStacked[breakpoint]
    if let path = now.image.orNothing {
      let across = Double(box.width) * LayoutRules.Now.across[breakpoint]
      let side = Int(min(across, Double(box.height) * LayoutRules.Now.down[breakpoint]))
      let part = isStacked ? box.removeTop(side, gap: 2 * gap) : box.removeLeft(side, gap: gap * 3 / 2)
      let texts = try texts(of: now, box.size)
      // Stacked elements are centered as a group, and elements side by side are centered separately.
      let free = (box.height - texts.height) / 2
      let square =
        isStacked
        ? Rect(x: part.x, y: part.y + free, width: side, height: side) : part.middle(Size(side, side))
      try draw(path, in: square)
      return texts.draw(on: &self, x: box.x, y: box.y + free)
    }
    let texts = try texts(of: now, box.size)
    texts.draw(on: &self, x: box.x, y: box.y + (box.height - texts.height) / 2)
  }

  /// Draws the image, or a drawing of a vinyl record if the image cannot be shown.
  private mutating func draw(_ path: String, in square: Rect) throws(TypesettingError) {
    let side = square.width
    if let picture = picture(path, in: square, .fit) { return try draw(picture) }
    fill(square, panel, radius: side / 24)
    for (share, color) in [(0.62, faint), (0.24, style.accent), (0.05, panel)] {
      let disc = Int(Double(side) * share)
      fill(square.middle(Size(disc, disc)), color, radius: disc / 2)
    }
  }

  private func texts(of now: NowPlaying, _ box: Size) throws(TypesettingError) -> Stack {
    var stack = Stack()
    let title = Size(box.width, box.height * 3 / 5)
    stack.add(
      try fit(bold(now.title), title, LayoutRules.Now.title[breakpoint], mostLines: LayoutRules.Now.titleLines))
    let barHeight = now.progress == nil ? 0 : line(LayoutRules.Now.bar[breakpoint]) + gap
    let lines = [
      (now.subtitle.orNothing, LayoutRules.Common.heading[breakpoint], style.foreground),
      (hasRoomForDetail ? now.detail.orNothing : nil, LayoutRules.Common.body[breakpoint], quiet),
    ]
    for (line, size, color) in lines {
      let left = box.height - stack.height - barHeight - gap / 2
      guard let line, left >= pixels(size.smallest * 1.5) else { continue }
      stack.add(try fit(plain(line), Size(box.width, left), size, mostLines: 2), color, gap: gap / 2)
    }
    if let progress = now.progress { addBar(progress, width: box.width, to: &stack) }
    return stack
  }

  /// Whether the display is wide enough for a third line, at any aspect ratio.
  private var hasRoomForDetail: Bool { Double(size.width) / logicalPixel > LayoutRules.Now.detailWidth }

  private func addBar(_ progress: Double, width: Int, to stack: inout Stack) {
    let height = line(LayoutRules.Now.bar[breakpoint])
    let share = progress.isFinite ? min(max(progress, 0), 1) : 0
    // A nonzero progress is always visible: the bar is at least as wide as it is tall.
    let done = share == 0 ? 0 : max(height, Int((Double(width) * share).rounded()))
    let track = FillItem(rect: Rect(x: 0, y: 0, width: width, height: height), color: faint, cornerRadius: height / 2)
    let part = FillItem(
      rect: Rect(x: 0, y: 0, width: min(done, width), height: height), color: style.accent, cornerRadius: height / 2)
    stack.add([track, part], height: height, gap: gap)
  }
}
