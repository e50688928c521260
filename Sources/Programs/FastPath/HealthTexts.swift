/// The output texts of the service's health, shared by the small program and the full program.
package enum HealthTexts {
  /// Returns the uptime as it follows the state in the first line.
  ///
  /// - Parameter uptime: The uptime in seconds.
  /// - Returns: The text, which starts with a comma.
  package static func up(_ uptime: Int) -> String { ", up for " + period(seconds: uptime) }

  /// Returns the line for a limit that was hit.
  ///
  /// - Parameters:
  ///   - limit: The limit's name.
  ///   - times: The number of times that it was hit.
  /// - Returns: The line without a line break.
  package static func limitHit(_ limit: String, times: Int) -> String { "limit reached: " + limit + ", \(times) times" }

  /// Returns the line that says how to acknowledge losses.
  ///
  /// - Parameter count: The number of losses among the reasons, at least 1.
  /// - Returns: The line without a line break.
  package static func losses(_ count: Int) -> String {
    (count == 1 ? "1 loss" : "\(count) losses") + ": `placard health --ack` acknowledges "
      + (count == 1 ? "it" : "them")
  }

  /// Returns what precedes each line below the first.
  package static var indent: String { "  " }

  /// Returns a duration in its two largest units: `3d 4h`, `2m 5s` or `0s`.
  ///
  /// - Parameter seconds: The duration; negative values count as 0.
  /// - Returns: The text, without a second unit that is 0.
  package static func period(seconds: Int) -> String {
    let units: [(String, Int)] = [("d", 86400), ("h", 3600), ("m", 60), ("s", 1)]
    guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0s" }
    var (left, text) = (seconds, "")
    for (name, length) in units[first...].prefix(2) {
      if left / length > 0 { text += (text.isEmpty ? "" : " ") + "\(left / length)" + name }
      left %= length
    }
    return text
  }
}
