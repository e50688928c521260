/// An error in the configuration: the file, the line, and the correction.
package struct ConfigurationError: Error, Hashable, Sendable {
  /// The path of the file, or the name given to its text.
  package var file: String
  /// The line, from 1; nil if the error concerns the whole file.
  package var line: Int?
  /// A sentence that says what is wrong and how to correct it.
  package var reason: String

  /// Creates an error at a line of a file.
  package init(file: String, line: Int?, reason: String) {
    self.file = file
    self.line = line
    self.reason = reason
  }
}

extension ConfigurationError: CustomStringConvertible {
  /// A message such as `/etc/placard/placard.toml:7: unknown key "polcy" (did you mean "policy"?)`.
  package var description: String {
    guard let line else { return "\(file): \(reason)" }
    return "\(file):\(line): \(reason)"
  }
}
