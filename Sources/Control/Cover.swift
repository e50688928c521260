/// A message that keeps a display from showing what was asked for.
public struct Cover: Codable, Hashable, Sendable {
  /// The display's connector.
  public var display: String
  /// The ID of the message.
  public var message: Int
  /// The message's scene in one line of at most 80 Characters.
  public var summary: String
  /// When the message ends by itself; nil if it stays until it is removed.
  public var expires: Timestamp?
  /// Whether the message stays until it is acknowledged.
  public var acknowledge: Bool

  /// Creates a cover.
  ///
  /// - Parameters:
  ///   - display: The display's connector.
  ///   - message: The ID of the message.
  ///   - summary: The message's scene in words, of any length.
  ///   - expires: When the message ends by itself.
  ///   - acknowledge: Whether the message stays until it is acknowledged.
  public init(display: String, message: Int, summary: String, expires: Timestamp? = nil, acknowledge: Bool = false) {
    self.display = display
    self.message = message
    self.summary = summary.eventSummary
    self.expires = expires
    self.acknowledge = acknowledge
  }
}
