/// A line of a file.
public struct SourceLine: Hashable, Sendable, CustomStringConvertible {
  /// The file's path, or the name that its text was given.
  public var file: String
  /// Counted from 1.
  public var line: Int

  /// A line of a file.
  public init(file: String, line: Int) {
    self.file = file
    self.line = line
  }

  /// `/etc/placard/placard.toml:7`.
  public var description: String { "\(file):\(line)" }
}
