import JSON

/// A scene for some or all displays, over what they show, until it is withdrawn, acknowledged or over.
public struct Message: Hashable, Sendable, Identifiable {
  /// Sessions and messages count up together, also over restarts: a number names one thing, and the larger is the later.
  public let id: Int
  /// A key of the sender's choice: what is posted under it next takes this message's place; nil for none.
  public let name: String?
  /// What it shows.
  public let scene: Scene
  /// What its scene takes in bytes, as JSON.
  let bytes: Int
  /// Who is to see it.
  public internal(set) var target: Target
  /// -100...100: the highest one is seen. Sessions have 0.
  public internal(set) var priority: Int
  /// When it was first posted, in milliseconds since 1970.
  public let created: Int64
  /// When it was last posted, in milliseconds since 1970; later than all that was raised or posted before, even where the
  /// clock was set back between.
  public internal(set) var changed: Int64
  /// When it is over, in milliseconds since 1970; nil for never.
  public internal(set) var expires: Int64?
  /// Whether it is over as soon as somebody acknowledges it.
  public internal(set) var needsAcknowledgement: Bool
  /// When somebody acknowledged it, in milliseconds since 1970; nil for not yet.
  public internal(set) var acknowledged: Int64?
  /// Whether it is the message that its display has of its own: the next one for that display takes its place.
  public let isOwn: Bool
  /// The seat that an own message follows to other ports; nil until a monitor is plugged into its display, and for all
  /// other messages.
  public internal(set) var seat: Int?

  init(
    id: Int, name: String?, scene: Scene, target: Target, priority: Int, created: Int64, changed: Int64,
    expires: Int64?, needsAcknowledgement: Bool, acknowledged: Int64? = nil, isOwn: Bool = false, seat: Int? = nil
  ) {
    self.id = id
    self.name = name
    self.scene = scene
    self.target = target
    self.priority = priority
    self.created = created
    self.changed = changed
    self.expires = expires
    self.needsAcknowledgement = needsAcknowledgement
    self.acknowledged = acknowledged
    self.isOwn = isOwn
    self.seat = seat
    bytes = scene.document.encoded.count
  }

  /// The priorities that there are.
  public static let priorities = -100...100
  /// The name of the message that `placard show` posts for all displays.
  public static let shownName = "show"

  /// The name of the message that lets displays tell which they are.
  public static let identifyName = "identify"

  /// Who is to see a message.
  public enum Target: Hashable, Sendable {
    /// All displays.
    case all
    /// All displays of a role: `internal` or `external`.
    case role(String)
    /// The display of this name, whatever monitor is there.
    case display(String)
    /// Displays whose session, or whose monitor by the settings, has this tag.
    case tag(String)
  }
}

extension Message {
  /// Whether another message is above this one where both are for a display.
  func isCovered(by other: Message) -> Bool {
    (priority, changed, id) < (other.priority, other.changed, other.id)
  }
}

extension Message.Target: LosslessStringConvertible {
  /// A target by its words, as in `description`; nil for other words.
  public init?(_ words: String) {
    let parts = words.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts.first, parts.count > 1 ? parts[1] : nil) {
    case ("all", nil): self = .all
    case ("role", let role?): self = .role(role)
    case ("display", let name?): self = .display(name)
    case ("tag", let tag?): self = .tag(tag)
    default: return nil
    }
  }

  /// `all`, `role:external`, `display:DP-1` or `tag:lobby`.
  public var description: String {
    switch self {
    case .all: "all"
    case .role(let role): "role:\(role)"
    case .display(let name): "display:\(name)"
    case .tag(let tag): "tag:\(tag)"
    }
  }
}
