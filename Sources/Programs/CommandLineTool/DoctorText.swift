import Control
import Doctor

/// The text form of a diagnosis: for each finding its severity, its check and its text, with the fix below.
struct DoctorText {
  /// The output style.
  let style: OutputStyle

  private static let markWidth = 6
  private static let checkWidth = Finding.Check.allCases.map(\.rawValue.count).max() ?? 0

  /// Returns the lines of all findings, and a summary as the last line.
  func lines(_ diagnosis: Diagnosis) -> [String] {
    diagnosis.findings.flatMap(lines) + ["", Self.summary(diagnosis)]
  }

  private func lines(_ finding: Finding) -> [String] {
    let indent = Self.markWidth + 2 + Self.checkWidth + 2
    let head = mark(finding.severity) + "  " + padded(finding.check.rawValue, Self.checkWidth) + "  "
    let text = wrapped(Table.printable(finding.text), indent)
    var lines = [head + (text.first ?? "")] + text.dropFirst().map { spaces(indent) + $0 }
    guard finding.severity != .ok else { return lines }
    if let fix = finding.fix { lines += wrapped("fix: " + Table.printable(fix), indent).map { spaces(indent) + $0 } }
    // A command is never wrapped, so that it can be copied.
    if let command = finding.command { lines.append(spaces(indent) + "  $ " + Table.printable(command)) }
    return lines
  }

  /// Returns a summary in one sentence.
  static func summary(_ diagnosis: Diagnosis) -> String {
    let wrong = diagnosis.findings.count { $0.severity == .wrong }
    let unseen = diagnosis.findings.count { $0.severity == .unseen }
    let rest = unseen == 0 ? "" : "; \(unseen) could not be checked"
    switch wrong {
    case 0: return "Nothing is wrong\(rest)."
    case 1: return "One thing is wrong\(rest)."
    default: return "\(wrong) things are wrong\(rest): start with the first."
    }
  }

  private func mark(_ mark: Finding.Severity) -> String {
    let (word, color): (String, TextColor) =
      switch mark {
      case .ok: ("ok", .good)
      case .note: ("note", .doubtful)
      case .wrong: ("WRONG", .bad)
      case .unseen: ("?", .faint)
      }
    return style.paint(word, color) + spaces(Self.markWidth - word.count)
  }

  private func wrapped(_ text: String, _ indent: Int) -> [String] {
    let width = max((style.columns ?? .max) - indent, 24)
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, TextWidth.columns(last) + 1 + TextWidth.columns(word) <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  private func padded(_ text: String, _ width: Int) -> String { text + spaces(max(0, width - text.count)) }
}
