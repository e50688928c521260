import Geometry
import Pictures
import Scenes
import Typesetting

/// A layout context: the display list under construction, and the metrics for its items.
struct LayoutContext {
  let size: Size
  let style: Style
  let breakpoint: Breakpoint
  let materials: RenderResources
  /// The number of device pixels per logical pixel, which may be fractional for a mirrored display.
  let logicalPixel: Double
  /// The offset of all content, limited so that the safe area stays on the display.
  let shift: Shift
  private(set) var safeArea: Rect
  /// The side of the display whose 1080th part is a unit, in pixels.
  private(set) var unitSide: Int
  /// The share of the usual margins and gaps: less in a zone that is a narrow part of the display.
  private(set) var spacing = 1.0
  var background: Color
  var items: [DisplayItem] = []
  var strip: ScrollLayer?
  var pages = 1
  var zonePages: [Int] = []
  var headings: [DisplayList.Heading] = []
  private(set) var warnings: [String] = []
  /// The warnings about images that are not shown at all.
  private(set) var lostPictures: [String] = []

  /// The maximum number of warnings.
  private static let mostWarnings = 32

  /// Creates an empty layout context, with the safe area moved by the shift but kept within the display.
  ///
  /// - Parameters:
  ///   - style: The style of the view.
  ///   - shift: The requested offset in pixels.
  ///   - size: The size in pixels.
  ///   - logicalPixel: The number of device pixels per logical pixel.
  ///   - breakpoint: The breakpoint; nil to derive it from the size. A mirror uses that of the mirrored display.
  ///   - materials: The render resources.
  init(
    _ style: Style, shift: Shift = .none, size: Size, logicalPixel: Double, breakpoint: Breakpoint? = nil,
    with materials: RenderResources
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
    unitSide = size.shortSide
  }

  /// Makes the context that of a zone of a display, whose texts have the sizes of the display.
  ///
  /// - Parameters:
  ///   - area: The area for texts, in pixels from the zone's upper left corner.
  ///   - unitSide: The side of the display whose 1080th part is a unit, in pixels.
  mutating func place(in area: Rect, unitSide: Int) {
    safeArea = area.moved(x: shift.x, y: shift.y).intersection(Rect(size))
    self.unitSide = unitSide
    spacing = min(1, 2 * Double(size.shortSide) / Double(max(1, unitSide)))
  }

  /// A context without items or warnings, with the same metrics.
  var emptied: LayoutContext {
    var context = self
    (context.items, context.strip, context.warnings, context.lostPictures) = ([], nil, [], [])
    return context
  }

  /// The finished display list.
  var list: DisplayList {
    var list = DisplayList(size: size, background: background, items: items, safeArea: safeArea, warnings: warnings)
    (list.strip, list.pages, list.zonePages, list.headings) = (strip, pages, zonePages, headings)
    list.lostPictures = lostPictures
    return list
  }

  /// Converts units to whole pixels.
  func pixels(_ units: Double) -> Int { Int((units * Double(unitSide) / 1080).rounded()) }

  /// Converts units to whole pixels, at least one, for elements that must be visible on the smallest display.
  func line(_ units: Double) -> Int { max(1, pixels(units)) }

  /// The safe area without the inner margin, for all content except banners.
  var area: Rect { safeArea.inset(by: pixels(spacing * LayoutRules.Common.margin[breakpoint])) }

  /// The gap between related elements.
  var gap: Int { pixels(spacing * LayoutRules.Common.gap[breakpoint]) }

  /// The color of secondary text.
  var quiet: Color { background.mixed(with: style.foreground, LayoutRules.quiet) }
  /// The color of lines and tracks.
  var faint: Color { background.mixed(with: style.foreground, LayoutRules.faint) }
  /// The color of panels.
  var panel: Color { background.mixed(with: style.foreground, LayoutRules.panel) }

  /// Adds a warning, unless it is a duplicate or the list is full.
  mutating func warn(_ warning: String) {
    if warnings.count < LayoutContext.mostWarnings, !warnings.contains(warning) { warnings.append(warning) }
  }

  /// Adds a warning that an image is not shown.
  mutating func warn(lostPicture reason: String) {
    warn(reason)
    if warnings.contains(reason), !lostPictures.contains(reason) { lostPictures.append(reason) }
  }

  /// Adds the warnings of another layout context.
  mutating func warn(as other: LayoutContext) {
    for warning in other.warnings { warn(warning) }
    for reason in other.lostPictures { warn(lostPicture: reason) }
  }

  /// Draws a rectangle, unless it is empty.
  mutating func fill(_ rect: Rect, _ color: Color, radius: Int = 0, clip: Rect? = nil) {
    let item = FillItem(
      rect: rect, color: color, cornerRadius: min(radius, max(0, rect.size.shortSide / 2)), clip: clip)
    if !item.ink.isEmpty { items.append(.fill(item)) }
  }

  /// Looks up an image and fits it into a box; returns nil, with a warning, if it cannot be shown.
  mutating func picture(_ path: String, in box: Rect, _ fit: ImagePanel.Fit) -> PlacedPicture? {
    picture(path, in: box) { $0.frame(in: box, fit) }
  }

  /// Looks up an image and places it by its size.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - clip: The rectangle outside of which nothing is drawn.
  ///   - frame: Returns the bounds of the whole image from its size.
  /// - Returns: The image, or with a warning the last version of the file that could be read; nil, with a warning, if
  ///   none can be shown.
  mutating func picture(_ path: String, in clip: Rect, _ frame: (Size) -> Rect) -> PlacedPicture? {
    do throws(ImageError) {
      let id = try materials.pictures.load(path)
      guard let size = materials.pictures.size(of: id), !clip.isEmpty else { return nil }
      return PlacedPicture(item: try shown(ImageItem(picture: id, frame: frame(size), clip: clip)))
    } catch {
      guard let version = lastVersion(of: path, instead: error),
        let size = materials.pictures.size(of: version.picture),
        let item = try? shown(ImageItem(picture: version.picture, frame: frame(size), clip: clip))
      else {
        warn(lostPicture: "\(error)")
        return nil
      }
      warn(lostPicture: version.warning)
      return PlacedPicture(item: item, mark: version.mark)
    }
  }

  /// Returns the last version of a file that could be read.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - error: The reason why the current file cannot be shown.
  /// - Returns: The version; nil if there is none, if the file has yet to be read, or if its folder is no longer allowed.
  func lastVersion(of path: String, instead error: ImageError) -> LastVersion? {
    switch error {
    case .missing, .outside: return nil
    default: break
    }
    guard let (picture, modified) = materials.pictures.lastVersion(of: path) else { return nil }
    let (zones, name) = (ZoneCache(), path.split(separator: "/").last.map(String.init) ?? path)
    return LastVersion(
      picture: picture, mark: "\(name), \(zones.moment(atSeconds: modified, in: style.language))",
      warning: "\(error); its version of \(zones.moment(atSeconds: modified, in: nil)) is shown instead")
  }

  /// Returns the item after looking up its bitmap, so that errors are found during layout and not while drawing.
  mutating func shown(_ item: ImageItem) throws(ImageError) -> ImageItem {
    var window = item.ink
    window.x -= item.frame.x
    window.y -= item.frame.y
    _ = try materials.pictures.bitmap(of: item.picture, at: item.frame.size, window: window)
    if let warning = materials.pictures.warning(of: item.picture) { warn(warning) }
    return item
  }
}

/// Returns insets that are a share of each extent, rounded up and limited to 45%, so that some area remains.
private func safeInsets(_ share: Double, of size: Size) -> Insets {
  let share = share.isFinite ? min(max(share, 0), 0.45) : 0
  let horizontal = Int((Double(size.width) * share).rounded(.up))
  let vertical = Int((Double(size.height) * share).rounded(.up))
  return Insets(top: vertical, left: horizontal, bottom: vertical, right: horizontal)
}
