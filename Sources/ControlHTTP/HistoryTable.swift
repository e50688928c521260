import Control

/// The history as comma-separated values (RFC 4180).
enum HistoryTable {
  private static let head = [
    "display", "monitor", "session", "kind", "what", "began", "ended", "began_ms", "ended_ms", "exact",
  ]

  /// A line for the names of the columns, then one for each line of the history.
  static func lines(_ history: [HistoryLine]) -> [UInt8] {
    let rows = history.map { line in
      [
        line.display, line.monitor, line.session.map(String.init) ?? "", line.kind, line.what, line.began.utc,
        line.ended?.utc ?? "", "\(line.began.milliseconds)", line.ended.map { "\($0.milliseconds)" } ?? "",
        "\(line.exact)",
      ]
    }
    return ([head] + rows).flatMap { row in Array((row.map(quoted).joined(separator: ",") + "\r\n").utf8) }
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
