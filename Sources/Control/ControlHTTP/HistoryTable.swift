import Control

/// The display history as comma-separated values (RFC 4180).
enum HistoryTable {
  /// The line with the names of the columns.
  static let head = line([
    "display", "monitor", "session", "kind", "what", "began", "ended", "began_ms", "ended_ms", "exact",
  ])

  /// Returns one line for each entry of the history.
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

  /// Returns a field in CSV; a single quote precedes text that a spreadsheet would evaluate (OWASP, "CSV Injection").
  private static func quoted(_ field: String) -> String {
    let isFormula = field.utf8.first.map("=+-@\t\r".utf8.contains) ?? false
    let field = isFormula ? "'" + field : field
    guard field.utf8.contains(where: { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }) else { return field }
    let doubled = field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    return "\"\(doubled)\""
  }
}
