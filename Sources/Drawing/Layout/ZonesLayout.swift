import Geometry
import Scenes
import Typesetting

/// The rectangle of a zone, and that of what lies beside it.
struct ZoneFrame: Equatable {
  var rect: Rect
  var isOverlay = false
}

/// The rectangles of the zones of a scene, and why some zones are not shown.
struct ZonePlan {
  /// The rectangle of the main scene.
  private(set) var main: Rect
  /// The rectangles of the zones; nil for those that are not shown.
  private(set) var frames: [ZoneFrame?] = []
  /// A sentence for each zone that is not shown.
  private(set) var warnings: [String] = []

  /// Places zones on a display.
  ///
  /// - Parameters:
  ///   - zones: The zones, each of which takes its room from what those before it left.
  ///   - size: The size of the display, in pixels.
  ///   - safeArea: The area for zones over corners.
  ///   - logicalPixel: The number of device pixels per logical pixel.
  init(_ zones: [ZonedView.Part], on size: Size, safeArea: Rect, logicalPixel: Double) {
    main = Rect(size)
    for zone in zones {
      let frame = place(zone, size, safeArea)
      let extent = zone.edge.extent(of: frame.rect, on: size)
      let rest = zone.edge.isOverlay ? main : main.without(frame.rect)
      let logical = Double(extent) / max(logicalPixel, 0.01)
      let isMainSeen = Double(rest.size.shortSide) >= LayoutRules.Zones.smallestMain * logicalPixel
      guard logical >= Double(zone.smallest), isMainSeen, frame.rect.size.area > 0 else {
        let reason =
          logical < Double(zone.smallest)
          ? "it would have \(Int(logical)) logical pixels, and needs \(zone.smallest)"
          : "it would leave too little room to the main scene"
        warnings.append("the zone at \(zone.edge.rawValue) is not shown: \(reason)")
        frames.append(nil)
        continue
      }
      main = rest
      frames.append(frame)
    }
  }

  private func place(_ zone: ZonedView.Part, _ size: Size, _ safeArea: Rect) -> ZoneFrame {
    func share(_ extent: Int, of room: Int) -> Int { min(Int((Double(extent) * zone.size).rounded()), room) }
    let (width, height) = (share(size.width, of: main.width), share(size.height, of: main.height))
    switch zone.edge.resolved(on: size) {
    case .top: return ZoneFrame(rect: Rect(x: main.x, y: main.y, width: main.width, height: height))
    case .bottom:
      return ZoneFrame(rect: Rect(x: main.x, y: main.bottom - height, width: main.width, height: height))
    case .left: return ZoneFrame(rect: Rect(x: main.x, y: main.y, width: width, height: main.height))
    case .right, .side:
      return ZoneFrame(rect: Rect(x: main.right - width, y: main.y, width: width, height: main.height))
    case .topLeft, .topRight, .bottomLeft, .bottomRight:
      let room = main.intersection(safeArea)
      let (width, height) = (min(width, room.width), min(height, room.height))
      let isLeft = zone.edge == .topLeft || zone.edge == .bottomLeft
      let isTop = zone.edge == .topLeft || zone.edge == .topRight
      let (x, y) = (isLeft ? room.x : room.right - width, isTop ? room.y : room.bottom - height)
      return ZoneFrame(rect: Rect(x: x, y: y, width: width, height: height), isOverlay: true)
    }
  }
}

extension Zones.Edge {
  /// Returns the edge on a display of a size, on which `side` is one of the others.
  func resolved(on size: Size) -> Zones.Edge {
    self == .side ? (size.height > size.width ? .bottom : .right) : self
  }

  /// Returns the height of a bar or an overlay, or the width of a column.
  fileprivate func extent(of rect: Rect, on size: Size) -> Int {
    switch resolved(on: size) {
    case .left, .right: rect.width
    default: rect.height
    }
  }
}

extension Rect {
  /// Returns the rest of the rectangle beside another one at one of its edges.
  fileprivate func without(_ other: Rect) -> Rect {
    if other.width == width {
      return Rect(x: x, y: other.y == y ? other.bottom : y, width: width, height: height - other.height)
    }
    return Rect(x: other.x == x ? other.right : x, y: y, width: width - other.width, height: height)
  }
}

extension LayoutContext {
  /// Lays out several views on one display: the main view, and zones beside and over it.
  ///
  /// One of them can scroll: the first that scrolls by itself, otherwise the main view. Its visible items are at the
  /// end of the list.
  mutating func layOut(_ zoned: ZonedView, mirrors: Int) throws(TypesettingError) {
    background = zoned.main.style.background
    let plan = ZonePlan(zoned.zones, on: size, safeArea: safeArea, logicalPixel: logicalPixel)
    for warning in plan.warnings { warn(warning) }
    let shown = zip(zoned.zones, plan.frames).compactMap { zone, frame in frame.map { (zone.view, $0) } }
    let frames = [(zoned.main, ZoneFrame(rect: plan.main))] + shown
    var parts: [ZonePart] = []
    for (view, frame) in frames {
      var part = try part(view, frame, mirrors)
      part.shows(frame.rect)
      parts.append(part)
    }
    // A line is drawn last, so that it must not lie under a corner.
    let isFree = parts.indices.map { index in
      guard let window = parts[index].strip?.window else { return false }
      return frames.indices.allSatisfy {
        $0 == index || !frames[$0].1.isOverlay || frames[$0].1.rect.intersection(window).isEmpty
      }
    }
    let moving =
      parts.indices.first { isFree[$0] && parts[$0].strip?.speed != nil } ?? parts.indices.first { isFree[$0] }
    for (index, part) in parts.enumerated() {
      if part.background != background || frames[index].1.isOverlay { fill(part.frame, part.background) }
      items += part.items
      guard let strip = part.strip else { continue }
      if index != moving {
        items += strip.items(from: strip.start(after: strip.distance), in: strip.window)
        guard strip.speed != nil else { continue }
        warn(isFree[index] ? "only one line can move: that of another zone does" : "a line under a corner cannot move")
      }
    }
    if let strip = moving.flatMap({ parts[$0].strip }) {
      self.strip = strip
      items += strip.items(from: strip.start(after: strip.distance), in: strip.window)
    }
    for part in parts {
      for warning in part.warnings { warn(warning) }
      for reason in part.lostPictures { warn(lostPicture: reason) }
    }
    (pages, headings, zonePages) = (parts[0].pages, parts[0].headings, parts[0].zonePages)
    var visible = parts.dropFirst()
    for (zone, frame) in zip(zoned.zones, plan.frames) {
      // The pages of a zone that steps aside are not known.
      guard frame != nil, let part = visible.popFirst() else {
        zonePages += Array(repeating: 1, count: zone.view.content.scenes)
        continue
      }
      zonePages += [part.pages] + part.zonePages
    }
  }

  /// Returns the layout of a view in a zone, from the cache if it is there.
  private func part(_ view: View, _ frame: ZoneFrame, _ mirrors: Int) throws(TypesettingError) -> ZonePart {
    // The edges of the display keep their margin; the others need a small one.
    let inset = min(line(LayoutRules.Zones.inset), frame.rect.size.shortSide / 10)
    let inner = frame.rect.inset(by: inset).intersection(safeArea)
    let key = ZonePart.Key(
      view: view, size: frame.rect.size, unitSide: unitSide, logicalPixel: logicalPixel,
      safeArea: inner.moved(x: -frame.rect.x, y: -frame.rect.y))
    if let part = materials.zones[key] { return part }
    var context = LayoutContext(
      view.style, shift: view.shift, size: frame.rect.size, logicalPixel: logicalPixel, with: materials)
    context.place(in: key.safeArea, unitSide: unitSide)
    try context.layOut(view.content, mirrors: mirrors)
    let list = context.list
    let part = ZonePart(list)
    // The files of images are looked up in each layout.
    if !list.hasPictures { materials.zones[key] = part }
    return part
  }
}

/// The layout of a zone, at first relative to its upper left corner.
struct ZonePart {
  var frame: Rect
  var background: Color
  /// The items without those of the scroll layer.
  var items: [DisplayItem]
  var strip: ScrollLayer?
  var warnings: [String]
  var lostPictures: [String]
  var pages: Int
  var zonePages: [Int]
  var headings: [DisplayList.Heading]

  init(_ list: DisplayList) {
    frame = Rect(list.size)
    background = list.background
    items = list.bare.items
    strip = list.strip
    (warnings, lostPictures) = (list.warnings, list.lostPictures)
    (pages, zonePages, headings) = (list.pages, list.zonePages, list.headings)
  }

  /// Moves the layout to the place of its zone, and clips it.
  mutating func shows(_ rect: Rect) {
    frame = rect
    items = items.map { $0.moved(x: rect.x, y: rect.y).clipped(to: rect) }
    strip = strip?.moved(x: rect.x, y: rect.y)
  }
}

extension ZonePart {
  /// All inputs of a zone's layout.
  struct Key: Hashable {
    var view: View
    var size: Size
    var unitSide: Int
    var logicalPixel: Double
    var safeArea: Rect
  }
}

extension View.Content {
  /// The number of scenes beside each other, those of nested zones included.
  fileprivate var scenes: Int {
    guard case .zones(let zoned) = self else { return 1 }
    return zoned.zones.reduce(zoned.main.content.scenes) { $0 + $1.view.content.scenes }
  }
}

extension DisplayList {
  /// Whether images are shown, or are missing.
  fileprivate var hasPictures: Bool {
    !lostPictures.isEmpty
      || (items + (strip?.items ?? [])).contains { if case .picture = $0 { true } else { false } }
  }
}
