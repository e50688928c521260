import Control

/// The history as comma-separated values (RFC 4180).
enum HistoryTable {
  /// The line for the names of the columns.
  static let head = line([
    "display", "monitor", "session", "kind", "what", "began", "ended", "began_ms", "ended_ms", "exact",
  ])

  /// A line for each line of the history.
  static func lines(_ history: [HistoryLine]) -> [UInt8] {
    history.flatMap { entry in
      line([
        entry.display, entry.monitor, entry.session.map(String.init) ?? "", entry.kind, entry.what, entry.began.utc,
        entry.ended?.utc ?? "", "\(entry.began.milliseconds)", entry.ended.map { "\($0.milliseconds)" } ?? "",
        "\(entry.exact)",
      ])
    }
  }

  private static func line(_ fields: [String]) -> [UInt8] {
    Array((fields.map(quoted).joined(separator: ",") + "\r\n").utf8)
  }

  /// A field that a spreadsheet would evaluate as a formula begins with a single quote (OWASP, "CSV Injection").
  private static func quoted(_ field: String) -> String {
    let isFormula = field.utf8.first.map("=+-@\t\r".utf8.contains) ?? false
    let field = isFormula ? "'" + field : field
    guard field.utf8.contains(where: { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }) else { return field }
    let doubled = field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    return "\"\(doubled)\""
  }
}
