/// The messages that live now: one for all displays, and one for each display that has its own.
public struct MessageStore: Hashable, Sendable {
  /// The message for every display without one of its own; nil where there is none.
  public var common: String?
  /// Messages by display name.
  public private(set) var own: [String: String]

  /// A store with a message for all, or none.
  public init(common: String? = nil) {
    self.common = common
    self.own = [:]
  }

  /// What the display of this name is to show.
  public func text(for display: String) -> String? { own[display] ?? common }

  /// Gives the display a message of its own, or with nil takes it away.
  public mutating func set(_ text: String?, for display: String) { own[display] = text }

  /// Sets the message for all; displays' own messages end, since the newest word for everyone wins.
  public mutating func setForAll(_ text: String?) {
    common = text
    own = [:]
  }
}
