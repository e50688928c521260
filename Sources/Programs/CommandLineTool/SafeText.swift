import Primitives

/// A filter for texts, so that a service, a recording or a file cannot send commands to the terminal.
enum SafeText {
  /// Returns a text without control characters other than line feeds.
  ///
  /// Each control character (C0, DEL, C1) and each line separator becomes a space. Bidirectional embeddings, overrides
  /// and isolates are removed.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - keepsColors: Whether the colors of `TextColor` remain.
  /// - Returns: The safe text.
  static func lines(_ text: String, keepsColors: Bool = false) -> String {
    guard text.utf8.contains(where: { $0 >= 0x7F || $0 < 0x20 && $0 != newline }) else { return text }
    var safe = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if keepsColors, let color = colors.first(where: { rest.starts(with: $0.unicodeScalars) }) {
        safe += color.unicodeScalars
        rest = rest.dropFirst(color.unicodeScalars.count)
        continue
      }
      rest = rest.dropFirst()
      if scalar == "\n" || !mayControlTerminal(scalar) {
        safe.append(scalar)
      } else if !isBidirectionalControl(scalar) {
        safe.append(" ")
      }
    }
    return String(safe)
  }

  /// Returns equivalent JSON with an escape for each character that a terminal may act on (RFC 8259, section 7).
  static func json(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x7F }) else { return text }
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard scalar != "\n", mayControlTerminal(scalar) else {
        safe.append(scalar)
        continue
      }
      safe += ("\\u" + Hex.digits(UInt64(scalar.value), 4)).unicodeScalars
    }
    return String(safe)
  }

  /// Returns whether a terminal may act on a character instead of showing it; all such characters are below U+10000.
  static func mayControlTerminal(_ scalar: Unicode.Scalar) -> Bool {
    isControlOrSeparator(scalar) || isBidirectionalControl(scalar)
  }

  /// Returns whether a character is a bidirectional embedding, override or isolate (UAX #9).
  static func isBidirectionalControl(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }

  /// Returns whether a character is a control character, or a line or paragraph separator.
  static func isControlOrSeparator(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  private static let newline = UInt8(ascii: "\n")
  private static let colors = [OutputStyle.colorEnd] + TextColor.allCases.map(OutputStyle.colorStart)
}
