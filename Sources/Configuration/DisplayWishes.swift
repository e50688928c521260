public import Displays
public import Geometry
public import Scenes

/// What the settings want for some displays; what they leave open is nil.
public struct DisplayWishes: Hashable, Sendable {
  /// How the mode is chosen.
  public var policy: ModePolicy?
  /// How pictures are turned.
  public var rotation: Rotation?
  /// What is shown while no message and no session is.
  public var scene: Scene?
  /// How it looks.
  public var style: StyleChanges
  /// What messages may name the displays by.
  public var tags: [String]?
  /// Where the settings say so; nil for what no file says.
  public var source: SourceLine?

  /// Wishes from their parts.
  public init(
    policy: ModePolicy? = nil, rotation: Rotation? = nil, scene: Scene? = nil, style: StyleChanges = StyleChanges(),
    tags: [String]? = nil, source: SourceLine? = nil
  ) {
    self.policy = policy
    self.rotation = rotation
    self.scene = scene
    self.style = style
    self.tags = tags
    self.source = source
  }

  /// What these say and the others do not, by the words that a file has for it.
  func words(beside other: DisplayWishes = DisplayWishes()) -> [String] {
    let (mine, others) = (style, other.style)
    let all: [(word: String, isSaid: Bool, isSaidElsewhere: Bool)] = [
      ("scene", scene != nil, other.scene != nil),
      (policy?.isMode ?? false ? "mode" : "policy", policy != nil, other.policy != nil),
      ("rotate", rotation != nil, other.rotation != nil),
      ("foreground", mine.foreground != nil, others.foreground != nil),
      ("background", mine.background != nil, others.background != nil),
      ("accent", mine.accent != nil, others.accent != nil),
      ("font", mine.font != nil, others.font != nil),
      ("safe_area", mine.safeArea != nil, others.safeArea != nil),
      ("burn_in_shift", mine.burnInShift != nil, others.burnInShift != nil),
      ("tags", tags != nil, other.tags != nil),
    ]
    return all.filter { $0.isSaid && !$0.isSaidElsewhere }.map(\.word)
  }
}

extension ModePolicy {
  /// Whether it is one mode.
  fileprivate var isMode: Bool { if case .explicit = self { true } else { false } }
}
