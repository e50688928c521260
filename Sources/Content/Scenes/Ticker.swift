/// A line of text that scrolls forever, toward the edge where reading starts.
public struct Ticker: Hashable, Sendable {
  /// The text, whose lines are joined into one.
  public var text: String
  /// The approximate speed in logical pixels per second; each frame moves by whole pixels of the display.
  public var speed: Int

  /// The default speed, about one word of average length per second.
  public static let usualSpeed = 180
  /// The allowed speeds: slower motion is not noticeable, and faster text is not readable.
  public static let speeds = 10...3000

  /// Creates a ticker from its parts.
  public init(_ text: String, speed: Int = Ticker.usualSpeed) {
    self.text = text
    self.speed = speed
  }
}
