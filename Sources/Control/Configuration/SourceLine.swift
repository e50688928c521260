/// A line of a file.
package struct SourceLine: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file, or the name given to its text.
  package var file: String
  /// The line number, from 1.
  package var line: Int

  /// Creates a line of a file.
  package init(file: String, line: Int) {
    self.file = file
    self.line = line
  }

  /// The location, such as `/etc/placard/placard.toml:7`.
  package var description: String { "\(file):\(line)" }
}
