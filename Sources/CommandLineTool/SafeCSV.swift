/// Makes comma-separated values from a service harmless for terminals and spreadsheets.
enum SafeCSV {
  /// Returns the values with a single quote before each field that a spreadsheet would evaluate as a formula (OWASP, "CSV
  /// Injection"), and with a space for each control character except line ends.
  static func table(_ bytes: [UInt8]) -> [UInt8] {
    var safe = String.UnicodeScalarView()
    var (isQuoted, isAtStart) = (false, true)
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if isAtStart, scalar == "\"", !isQuoted {
        // The field begins behind its quotation mark.
        isQuoted = true
        safe.append(scalar)
        continue
      }
      if isAtStart, "=+-@\t".unicodeScalars.contains(scalar) || scalar == "\r" && isQuoted { safe.append("'") }
      if scalar == "\"" { isQuoted.toggle() }
      isAtStart = !isQuoted && (scalar == "," || scalar == "\n")
      if scalar == "\r" || scalar == "\n" || !SafeText.isObeyed(scalar) {
        safe.append(scalar)
      } else if SafeText.isBreak(scalar) {
        safe.append(" ")
      }
    }
    return Array(String(safe).utf8)
  }
}
