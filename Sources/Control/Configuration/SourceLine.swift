/// A line of a file.
public struct SourceLine: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file, or the name given to its text.
  public var file: String
  /// The line number, from 1.
  public var line: Int

  /// Creates a line of a file.
  public init(file: String, line: Int) {
    self.file = file
    self.line = line
  }

  /// The location, such as `/etc/placard/placard.toml:7`.
  public var description: String { "\(file):\(line)" }
}
