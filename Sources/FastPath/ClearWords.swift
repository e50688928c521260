/// The words of what was cleared, for this program and the full one.
public enum ClearWords {
  /// Returns the line about a message that ended.
  ///
  /// - Parameters:
  ///   - id: The message's number.
  ///   - summary: What it showed, in a line.
  public static func ended(_ id: Int, _ summary: String) -> String { "ended message \(id): " + summary }

  /// Returns the line that says that there was nothing to clear.
  ///
  /// - Parameter display: The display that was to be cleared; nil for all displays.
  public static func none(on display: String?) -> String {
    "`placard show` has no message on " + (display ?? "all displays")
  }

  /// The line that says that there is no message at all.
  public static let noneAtAll = "there are no messages"
}
