/// A configuration that was refused: which file, where in it, and what to write instead.
public struct ConfigurationError: Error, Hashable, Sendable {
  /// The file's path, or the name that its text was given.
  public var file: String
  /// The line, counted from 1; nil where the file as a whole is meant.
  public var line: Int?
  /// What is wrong and how to mend it, in a sentence.
  public var reason: String

  /// An error at a place in a file.
  public init(file: String, line: Int?, reason: String) {
    self.file = file
    self.line = line
    self.reason = reason
  }
}

extension ConfigurationError: CustomStringConvertible {
  /// `/etc/placard/placard.toml:7: unknown key "polcy" (did you mean "policy"?)`.
  public var description: String {
    guard let line else { return "\(file): \(reason)" }
    return "\(file):\(line): \(reason)"
  }
}
