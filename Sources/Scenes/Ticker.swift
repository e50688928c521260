/// A line that scrolls for ever, towards where reading begins.
public struct Ticker: Hashable, Sendable {
  /// What it says; the lines of the text follow each other in the one that is seen.
  public var text: String
  /// How fast it goes: logical pixels a second, about, since each picture moves by whole pixels of the display.
  public var speed: Int

  /// The speed unless something else was asked for: a word of usual length in a second.
  public static let usualSpeed = 180
  /// Slower than this nobody sees it move, faster nobody reads it.
  public static let speeds = 10...3000

  /// A line from its parts.
  public init(_ text: String, speed: Int = Ticker.usualSpeed) {
    self.text = text
    self.speed = speed
  }
}
