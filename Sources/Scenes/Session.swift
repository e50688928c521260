/// What one monitor shows, and whether it sleeps: it stays the monitor's own while that is unplugged, and is there again
/// in its first frame, on whatever port it returns.
public struct Session: Hashable, Sendable, Identifiable {
  /// Counts up from 1 over the service's life.
  public let id: Int
  /// The monitor's identity; twins have the same.
  public let monitor: String
  /// The port where the monitor is, or was last.
  public internal(set) var place: String
  /// The display that it is on now; nil while its monitor is unplugged.
  public internal(set) var display: String?
  /// The monitor's own message; nil where it shows the one for all.
  public internal(set) var text: String?
  /// Whether the monitor was sent to sleep: it stays dark, also after it was unplugged, until it is woken.
  public internal(set) var isAsleep = false

  /// Whether it differs from a session that was just begun.
  var isWorthKeeping: Bool { text != nil || isAsleep }
}
