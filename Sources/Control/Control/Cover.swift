/// A message that prevents a display from showing the requested content.
public struct Cover: Codable, Hashable, Sendable {
  /// The display's connector.
  public var display: String
  /// The ID of the message.
  public var message: Int
  /// A summary of the message's scene, in one line of at most 80 characters (Swift `Character`s).
  public var summary: String
  /// The time at which the message expires; nil if it stays until it is removed.
  public var expires: Timestamp?
  /// Whether the message stays until it is acknowledged.
  public var acknowledge: Bool

  /// Creates a cover.
  ///
  /// - Parameters:
  ///   - display: The display's connector.
  ///   - message: The ID of the message.
  ///   - summary: A summary of the message's scene, of any length.
  ///   - expires: The time at which the message expires.
  ///   - acknowledge: Whether the message stays until it is acknowledged.
  public init(display: String, message: Int, summary: String, expires: Timestamp? = nil, acknowledge: Bool = false) {
    self.display = display
    self.message = message
    self.summary = summary.eventSummary
    self.expires = expires
    self.acknowledge = acknowledge
  }
}

extension Cover: InterfaceObject {
  package static let interface = Interface.part(
    "A message that prevents a display from showing the requested content.",
    [
      field("display", \.display, "The display's connector.", .example("HDMI-A-1")),
      field("message", \.message, "The ID of the message.", .id),
      field("summary", \.summary, "A one-line summary of the message's scene.", .example("Welcome")),
      field(
        "expires", \.expires, "The time at which the message expires; absent if it stays until it is withdrawn."),
      field("acknowledge", \.acknowledge, "Whether the message stays until it is acknowledged."),
    ])
}
