/// A filter that makes the service's CSV safe for terminals and spreadsheets.
enum SafeCSV {
  /// Returns CSV without formulas and control characters.
  ///
  /// A single quote precedes each field that a spreadsheet would evaluate as a formula (OWASP, "CSV Injection").
  /// Control characters except line ends become spaces. Bidirectional controls are removed.
  ///
  /// - Parameter bytes: The CSV in UTF-8.
  /// - Returns: The safe CSV.
  static func table(_ bytes: [UInt8]) -> [UInt8] {
    var safe = String.UnicodeScalarView()
    var (isQuoted, isAtStart) = (false, true)
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if isAtStart, scalar == "\"", !isQuoted {
        // The field starts after its quotation mark.
        isQuoted = true
        safe.append(scalar)
        continue
      }
      if isAtStart, "=+-@\t".unicodeScalars.contains(scalar) || scalar == "\r" && isQuoted { safe.append("'") }
      if scalar == "\"" { isQuoted.toggle() }
      isAtStart = !isQuoted && (scalar == "," || scalar == "\n")
      if scalar == "\r" || scalar == "\n" || !SafeText.mayControlTerminal(scalar) {
        safe.append(scalar)
      } else if SafeText.isControlOrSeparator(scalar) {
        safe.append(" ")
      }
    }
    return Array(String(safe).utf8)
  }
}
