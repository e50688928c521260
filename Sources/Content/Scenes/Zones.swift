import Primitives

/// A scene of scenes: a main scene, and zones for others at the edges or over the corners of the display.
package struct Zones: Hashable, Sendable {
  /// The scene in the room that the zones leave.
  package var main: Scene
  /// The zones, each of which takes its room from what those before it left.
  package var zones: [Zone]

  /// A part of the display with a scene of its own.
  package struct Zone: Hashable, Sendable {
    /// The edge or the corner.
    package var edge: Edge
    /// The scene.
    package var show: Scene
    /// The share of the display's height or width, 0.05...0.5; over a corner, of both.
    package var size: Double
    /// The least height or width in logical pixels; the least height over a corner. A smaller zone is not shown.
    package var smallest: Int

    /// Creates a zone from its parts.
    package init(
      _ edge: Edge, _ show: Scene, size: Double = Zones.usualSize, smallest: Int = Zones.usualSmallest
    ) {
      self.edge = edge
      self.show = show
      self.size = size
      self.smallest = smallest
    }
  }

  /// The places of zones.
  package enum Edge: String, Hashable, Sendable, CaseIterable {
    /// A bar at the upper edge.
    case top
    /// A bar at the lower edge.
    case bottom
    /// A column at the left edge.
    case left
    /// A column at the right edge.
    case right
    /// A column at the right edge, or a bar at the lower edge of a display that is taller than wide.
    case side
    /// Over the main scene, in its upper left corner.
    case topLeft = "top-left"
    /// Over the main scene, in its upper right corner.
    case topRight = "top-right"
    /// Over the main scene, in its lower left corner.
    case bottomLeft = "bottom-left"
    /// Over the main scene, in its lower right corner.
    case bottomRight = "bottom-right"

    /// Whether the zone lies over the main scene, and takes no room from it.
    package var isOverlay: Bool {
      switch self {
      case .top, .bottom, .left, .right, .side: false
      case .topLeft, .topRight, .bottomLeft, .bottomRight: true
      }
    }
  }

  /// The allowed sizes, as shares of the display's height or width.
  package static let sizes = 0.05...0.5
  /// The size of a zone by default, as a share of the display's height or width.
  package static let usualSize = 0.15
  /// The allowed least sizes, in logical pixels.
  package static let permittedSmallest = 16...4096
  /// The least size by default, in logical pixels: a line of text that is legible from some meters.
  package static let usualSmallest = 48

  /// Creates a scene of scenes.
  package init(_ main: Scene, _ zones: [Zone]) {
    self.main = main
    self.zones = zones
  }
}

/// The views of a scene with zones.
package struct ZonedView: Hashable, Sendable {
  /// The main view.
  package var main: View
  /// The views of the zones.
  package var zones: [Part]

  /// The view of a zone.
  package struct Part: Hashable, Sendable {
    /// The edge or the corner.
    package var edge: Zones.Edge
    /// The view.
    package var view: View
    /// The share of the display's height or width.
    package var size: Double
    /// The least height or width, in logical pixels.
    package var smallest: Int

    /// Creates the view of a zone from its parts.
    package init(
      _ edge: Zones.Edge, _ view: View, size: Double = Zones.usualSize, smallest: Int = Zones.usualSmallest
    ) {
      self.edge = edge
      self.view = view
      self.size = size
      self.smallest = smallest
    }
  }

  /// Creates a view of several views.
  package init(_ main: View, _ zones: [Part]) {
    self.main = main
    self.zones = zones
  }
}

extension Scene {
  /// Resolves a scene with zones. It is named after its main scene.
  func moment(of zones: Zones, _ context: ViewContext) -> ResolvedScene {
    var inside = context
    inside.style = style.applied(to: context.style)
    var moment = zones.main.view(in: inside.at(zone: 0))
    var parts: [ZonedView.Part] = []
    for (index, zone) in zones.zones.enumerated() {
      let part = zone.show.view(in: inside.at(zone: index + 1))
      let range = Zones.sizes
      let size = zone.size.isFinite ? min(max(zone.size, range.lowerBound), range.upperBound) : Zones.usualSize
      parts.append(ZonedView.Part(zone.edge, part.view, size: size, smallest: zone.smallest))
      moment.nextChange = [moment.nextChange, part.nextChange].compactMap(\.self).min()
      moment.progress.paths += part.progress.paths
      moment.values.formUnion(part.values)
      moment.isOutdated = moment.isOutdated || part.isOutdated
      moment.warnings += part.warnings.filter { !moment.warnings.contains($0) }
    }
    let main = moment.view
    moment.view = View(.zones(ZonedView(main, parts)), style: inside.style)
    // A line in a zone must not stop for a cross-fade of the main scene.
    if !parts.contains(where: { $0.view.content.movesByItself }) { moment.view.fade = main.fade }
    moment.seen.sources.insert(.zones(zones.zones.count), at: 0)
    return moment
  }
}

extension ViewContext {
  /// Returns the context of a zone, 0 for the main scene. Only the main scene can be scrolled.
  fileprivate func at(zone: Int) -> ViewContext {
    var context = self
    context.steps.append(SceneStep(zone: zone))
    if zone > 0 { (context.place, context.pages, context.pass) = (.start, 1, nil) }
    return context
  }
}

extension View.Content {
  /// Whether the content scrolls by itself.
  fileprivate var movesByItself: Bool {
    switch self {
    case .ticker: true
    case .zones(let zoned): zoned.main.content.movesByItself || zoned.zones.contains { $0.view.content.movesByItself }
    default: false
    }
  }
}
