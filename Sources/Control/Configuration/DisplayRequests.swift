package import Displays
package import Geometry
package import Scenes
package import Schedules

/// The requested settings of some displays; nil leaves a setting open.
package struct DisplayRequests: Hashable, Sendable {
  /// The policy for choosing the mode.
  package var policy: ModePolicy?
  /// The rotation.
  package var rotation: Rotation?
  /// The scene shown while no message and no session is.
  package var scene: Scene?
  /// The changes to the style.
  package var style: StyleChanges
  /// The tags by which messages can address the displays.
  package var tags: [String]?
  /// The hours in which the displays are lit.
  package var hours: DisplayHours?
  /// The distance from which people read the displays, in millimeters.
  package var distance: Int?
  /// The diagonal of the image, in millimeters.
  package var diagonal: Int?
  /// The line of the file that contains them; nil if they do not come from a file.
  package var source: SourceLine?

  /// Creates requests from their parts.
  package init(
    policy: ModePolicy? = nil, rotation: Rotation? = nil, scene: Scene? = nil, style: StyleChanges = StyleChanges(),
    tags: [String]? = nil, hours: DisplayHours? = nil, distance: Int? = nil, diagonal: Int? = nil,
    source: SourceLine? = nil
  ) {
    self.policy = policy
    self.rotation = rotation
    self.scene = scene
    self.style = style
    self.tags = tags
    self.hours = hours
    self.distance = distance
    self.diagonal = diagonal
    self.source = source
  }

  /// Returns the configuration keys of the settings that these requests specify and the others do not.
  func words(beside other: DisplayRequests = DisplayRequests()) -> [String] {
    let (mine, others) = (style, other.style)
    let all: [(word: String, isSaid: Bool, isSaidElsewhere: Bool)] = [
      ("scene", scene != nil, other.scene != nil),
      (policy?.isMode ?? false ? "mode" : "policy", policy != nil, other.policy != nil),
      ("rotate", rotation != nil, other.rotation != nil),
      ("foreground", mine.foreground != nil, others.foreground != nil),
      ("background", mine.background != nil, others.background != nil),
      ("accent", mine.accent != nil, others.accent != nil),
      ("font", mine.font != nil, others.font != nil),
      ("language", mine.language != nil, others.language != nil),
      ("safe_area", mine.safeArea != nil, others.safeArea != nil),
      ("burn_in_shift", mine.burnInShift != nil, others.burnInShift != nil),
      ("tags", tags != nil, other.tags != nil),
      ("hours", hours != nil, other.hours != nil),
      ("distance", distance != nil, other.distance != nil),
      ("diagonal", diagonal != nil, other.diagonal != nil),
    ]
    return all.filter { $0.isSaid && !$0.isSaidElsewhere }.map(\.word)
  }
}

extension ModePolicy {
  /// Whether the policy is a fixed mode.
  fileprivate var isMode: Bool { if case .explicit = self { true } else { false } }
}
