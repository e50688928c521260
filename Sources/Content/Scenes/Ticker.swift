/// A line of text that scrolls forever, toward the edge where reading starts.
package struct Ticker: Hashable, Sendable {
  /// The text, whose lines are joined into one.
  package var text: String
  /// The approximate speed in logical pixels per second; each frame moves by whole pixels of the display.
  package var speed: Int

  /// The default speed, about one word of average length per second.
  package static let usualSpeed = 180
  /// The allowed speeds: slower motion is not noticeable, and faster text is not readable.
  package static let speeds = 10...3000

  /// Creates a ticker from its parts.
  package init(_ text: String, speed: Int = Ticker.usualSpeed) {
    self.text = text
    self.speed = speed
  }
}
