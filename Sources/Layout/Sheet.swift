import Geometry
import Pictures
import Scenes
import Typesetting

/// A display list in the making: what is drawn already, and the measures that everything is drawn by.
struct Sheet {
  let size: Size
  let style: Style
  let breakpoint: Breakpoint
  let materials: Materials
  /// Device pixels for each logical one; a mirrored display's may be broken.
  let logicalPixel: Double
  /// How far all is moved, by which the safe area does not reach beyond the display.
  let shift: Shift
  let safeArea: Rect
  var background: Color
  var items: [DisplayItem] = []
  var strip: Strip?
  var pages = 1
  var headings: [DisplayList.Heading] = []
  private(set) var warnings: [String] = []
  /// The warnings that say that a picture is not shown at all.
  private(set) var lostPictures: [String] = []

  /// More of them nobody reads.
  private static let mostWarnings = 32

  /// An empty sheet. The breakpoint is that of the size, but for what mirrors a display of another one. The safe area is
  /// moved by the shift, up to the display's edges.
  init(
    _ style: Style, shift: Shift = .none, size: Size, logicalPixel: Double, breakpoint: Breakpoint? = nil,
    with materials: Materials
  ) {
    self.size = size
    self.style = style
    self.logicalPixel = logicalPixel
    self.breakpoint = breakpoint ?? Breakpoint(size, logicalPixel: logicalPixel)
    self.materials = materials
    let insets = safeInsets(style.safeArea, of: size)
    self.shift = Shift(
      x: min(max(shift.x, -insets.left), insets.right), y: min(max(shift.y, -insets.top), insets.bottom))
    safeArea = Rect(size).inset(by: insets).moved(x: self.shift.x, y: self.shift.y)
    background = style.background
  }

  /// What is drawn.
  var list: DisplayList {
    var list = DisplayList(size: size, background: background, items: items, safeArea: safeArea, warnings: warnings)
    (list.strip, list.pages, list.headings, list.lostPictures) = (strip, pages, headings, lostPictures)
    return list
  }

  /// A length of units in whole pixels.
  func pixels(_ units: Double) -> Int { Int((units * Double(size.shortSide) / 1080).rounded()) }

  /// The same, of what must be seen on the smallest display.
  func line(_ units: Double) -> Int { max(1, pixels(units)) }

  /// The safe area without the margin, for all that is more than a banner.
  var area: Rect { safeArea.inset(by: pixels(LayoutRules.Common.margin[breakpoint])) }

  /// The gap between things that belong together.
  var gap: Int { pixels(LayoutRules.Common.gap[breakpoint]) }

  /// The colour of what is said second.
  var quiet: Color { background.mixed(with: style.foreground, LayoutRules.quiet) }
  /// The colour of lines and tracks.
  var faint: Color { background.mixed(with: style.foreground, LayoutRules.faint) }
  /// The colour of panels.
  var panel: Color { background.mixed(with: style.foreground, LayoutRules.panel) }

  /// Says something once.
  mutating func warn(_ warning: String) {
    if warnings.count < Sheet.mostWarnings, !warnings.contains(warning) { warnings.append(warning) }
  }

  /// Says once that a picture is not shown, and why.
  mutating func warn(lostPicture reason: String) {
    warn(reason)
    if warnings.contains(reason), !lostPictures.contains(reason) { lostPictures.append(reason) }
  }

  /// Says what another sheet has to say.
  mutating func warn(as other: Sheet) {
    for warning in other.warnings { warn(warning) }
    for reason in other.lostPictures { warn(lostPicture: reason) }
  }

  /// Draws a rectangle; an empty one is none.
  mutating func fill(_ rect: Rect, _ color: Color, radius: Int = 0, clip: Rect? = nil) {
    let item = FillItem(
      rect: rect, color: color, cornerRadius: min(radius, max(0, rect.size.shortSide / 2)), clip: clip)
    if !item.ink.isEmpty { items.append(.fill(item)) }
  }

  /// Finds a picture and places it in a box; nil where it cannot be shown, which is said.
  mutating func picture(_ path: String, in box: Rect, _ fit: ImagePanel.Fit) -> PictureItem? {
    picture(path, in: box) { $0.frame(in: box, fit) }
  }

  /// Finds a picture and places it by its size; nil where it cannot be shown, which is said.
  mutating func picture(_ path: String, in clip: Rect, _ frame: (Size) -> Rect) -> PictureItem? {
    do throws(PictureError) {
      let id = try materials.pictures.load(path)
      guard let size = materials.pictures.size(of: id), !clip.isEmpty else { return nil }
      return try shown(PictureItem(picture: id, frame: frame(size), clip: clip))
    } catch {
      warn(lostPicture: "\(error)")
      return nil
    }
  }

  /// The same picture after it was read: what is wrong with its file is found now and not when it is painted.
  mutating func shown(_ item: PictureItem) throws(PictureError) -> PictureItem {
    var window = item.ink
    window.x -= item.frame.x
    window.y -= item.frame.y
    _ = try materials.pictures.bitmap(of: item.picture, at: item.frame.size, window: window)
    if let warning = materials.pictures.warning(of: item.picture) { warn(warning) }
    return item
  }
}

/// A share of each extent at each edge, rounded up; at most 45%, so that something is left to write on.
private func safeInsets(_ share: Double, of size: Size) -> Insets {
  let share = share.isFinite ? min(max(share, 0), 0.45) : 0
  let horizontal = Int((Double(size.width) * share).rounded(.up))
  let vertical = Int((Double(size.height) * share).rounded(.up))
  return Insets(top: vertical, left: horizontal, bottom: vertical, right: horizontal)
}
