/// The content of a manual page, independent of its format.
struct ManualPage: Hashable, Sendable {
  /// An option or an argument.
  struct Option: Hashable, Sendable {
    /// The names, such as `--display` and `-d`; empty for an argument.
    var names: [String] = []
    /// The placeholder for its value; nil for a flag.
    var value: String?
    /// Whether it may be omitted.
    var isOptional = true
    var isRepeating = false
    var text: String
  }

  /// A titled section of a discussion: `Examples:` with indented lines.
  struct Section: Hashable, Sendable {
    var title: String
    var lines: [String]
  }

  /// A command of the program.
  struct Command: Hashable, Sendable {
    /// The names of the program and the command.
    var name: String
    var abstract: String
    /// The lines of its usage, unless they are just its options and arguments.
    var usage: [String] = []
    var paragraphs: [String] = []
    var options: [Option] = []
    var sections: [Section] = []
  }

  /// The program as a whole.
  var program: Command
  /// The section of the manual: 1, or 8 for programs that administrators run.
  var section: Int
  var commands: [Command] = []
}

extension ManualPage.Command {
  /// Splits a discussion into paragraphs, and sections with a heading and indented lines.
  mutating func discuss(_ text: String) {
    for block in Self.blocks(text) {
      if let first = block.first, first.hasSuffix(":"), block.count > 1,
        block.dropFirst().allSatisfy({ $0.hasPrefix("  ") })
      {
        sections.append(
          .init(title: String(first.dropLast()), lines: block.dropFirst().map { String($0.dropFirst(2)) }))
      } else {
        paragraphs.append(block.joined(separator: " "))
      }
    }
  }

  /// Returns the blocks of lines that blank lines separate.
  static func blocks(_ text: String) -> [[String]] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.split { $0.allSatisfy(\.isWhitespace) }.map { $0.map(String.init) }
  }
}
