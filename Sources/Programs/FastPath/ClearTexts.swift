/// The output texts of `clear`, shared by the small program and the full program.
package enum ClearTexts {
  /// Returns the line for a message that ended.
  ///
  /// - Parameters:
  ///   - id: The message's ID.
  ///   - summary: The message's content in one line.
  /// - Returns: The line without a line break.
  package static func ended(_ id: Int, _ summary: String) -> String { "ended message \(id): " + summary }

  /// Returns the line for a request that found no message to clear.
  ///
  /// - Parameter display: The display to clear; nil for all displays.
  /// - Returns: The line without a line break.
  package static func none(on display: String?) -> String {
    "`placard show` has no message on " + (display ?? "all displays")
  }

  /// The line that says that there is no message at all.
  package static let noneAtAll = "there are no messages"
}
