/// The words of the service's health, for this program and the full one.
public enum HealthWords {
  /// Returns how long the service has run, which follows the state.
  ///
  /// - Parameter uptime: In seconds.
  public static func up(_ uptime: Int) -> String { ", up for " + period(seconds: uptime) }

  /// Returns the line about a limit.
  ///
  /// - Parameters:
  ///   - limit: The limit's name.
  ///   - times: How often it has cut something.
  public static func cut(_ limit: String, times: Int) -> String { "cut by a limit: " + limit + ", \(times) times" }

  /// Returns the line that says how to acknowledge losses.
  ///
  /// - Parameter count: How many losses are among the reasons, at least 1.
  public static func losses(_ count: Int) -> String {
    (count == 1 ? "1 loss" : "\(count) losses") + ": `placard health --ack` acknowledges "
      + (count == 1 ? "it" : "them")
  }

  /// Returns what precedes each line below the first.
  public static var indent: String { "  " }

  /// Returns seconds in the two largest units: `3d 4h`, `2m 5s`, `0s`.
  ///
  /// - Parameter seconds: At least 0; fewer are 0.
  public static func period(seconds: Int) -> String {
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
