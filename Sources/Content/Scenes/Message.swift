import JSON

/// A scene shown above the sessions of some or all displays, until it is withdrawn, acknowledged or expires.
package struct Message: Hashable, Sendable, Identifiable {
  /// The message's number.
  ///
  /// Sessions and messages share one increasing sequence, which continues across restarts. A number is never reused,
  /// and a larger number is newer.
  package let id: Int
  /// A key that the sender chooses: the next message posted under it replaces this one; nil for none.
  package let name: String?
  /// The scene that the message shows.
  package internal(set) var scene: Scene { didSet { if scene != oldValue { bytes = scene.document.encoded.count } } }
  /// The size of the scene in bytes of JSON.
  private(set) var bytes: Int
  /// The displays that show the message.
  package internal(set) var target: Target
  /// The priority, -100...100; the highest one is shown, and sessions have 0.
  package internal(set) var priority: Int
  /// The time when the message was first posted, in milliseconds since 1970.
  package let created: Int64
  /// The time when the message was last posted, in milliseconds since 1970.
  ///
  /// It is later than all previously raised sessions and posted messages, even if the clock was set back in between.
  package internal(set) var changed: Int64
  /// The time when the message expires, in milliseconds since 1970; nil for never.
  package internal(set) var expires: Int64?
  /// Whether the message ends as soon as it is acknowledged.
  package internal(set) var needsAcknowledgement: Bool
  /// The time when the message was acknowledged, in milliseconds since 1970; nil if it was not.
  package internal(set) var acknowledged: Int64?
  /// Whether this is a display's own message, which the next own message for that display replaces.
  package let isOwn: Bool
  /// The number of the monitor profile that an own message follows to other ports.
  ///
  /// It is nil until a monitor is plugged into the message's display, and for all other messages.
  package internal(set) var profile: Int?

  init(
    id: Int, name: String?, scene: Scene, target: Target, priority: Int, created: Int64, changed: Int64,
    expires: Int64?, needsAcknowledgement: Bool, acknowledged: Int64? = nil, isOwn: Bool = false, profile: Int? = nil
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
    self.profile = profile
    bytes = scene.document.encoded.count
  }

  /// The valid priorities.
  package static let priorities = -100...100
  /// The name of the message that `placard show` posts for all displays.
  package static let shownName = "show"

  /// The name of the message that shows the identify screen on each display.
  package static let identifyName = "identify"

  /// The displays that show a message.
  package enum Target: Hashable, Sendable {
    /// All displays.
    case all
    /// All displays with a role, `internal` or `external`.
    case role(String)
    /// The display with this name, regardless of its monitor.
    case display(String)
    /// The displays whose session, or whose monitor in the configuration, has this tag.
    case tag(String)
  }
}

extension Message {
  /// Returns whether another message for the same display covers this one.
  func isCovered(by other: Message) -> Bool {
    (priority, changed, id) < (other.priority, other.changed, other.id)
  }
}

extension Message.Target: LosslessStringConvertible {
  /// Parses a target in the format of `description`; returns nil for any other text.
  package init?(_ words: String) {
    let parts = words.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts.first, parts.count > 1 ? parts[1] : nil) {
    case ("all", nil): self = .all
    case ("role", let role?): self = .role(role)
    case ("display", let name?): self = .display(name)
    case ("tag", let tag?): self = .tag(tag)
    default: return nil
    }
  }

  /// The target as text: `all`, `role:external`, `display:DP-1` or `tag:lobby`.
  package var description: String {
    switch self {
    case .all: "all"
    case .role(let role): "role:\(role)"
    case .display(let name): "display:\(name)"
    case .tag(let tag): "tag:\(tag)"
    }
  }
}
