/// What a manual page says, however it is written down.
struct ManualPage: Hashable, Sendable {
  /// An option or an argument.
  struct Option: Hashable, Sendable {
    /// `--display`, `-d`; empty for an argument.
    var names: [String] = []
    /// What stands for its value; nil for a flag.
    var value: String?
    /// Whether it may be left out, and given more than once.
    var isOptional = true
    var isRepeating = false
    var text: String
  }

  /// A part of a discussion under a heading: `Examples:` and indented lines.
  struct Section: Hashable, Sendable {
    var title: String
    var lines: [String]
  }

  /// A command of the program.
  struct Command: Hashable, Sendable {
    /// The program's name and the command's.
    var name: String
    var abstract: String
    /// Lines of its usage, where they are not just its options and arguments.
    var usage: [String] = []
    var paragraphs: [String] = []
    var options: [Option] = []
    var sections: [Section] = []
  }

  /// The program as a whole.
  var program: Command
  /// The manual's section: 1, or 8 for what administrators run.
  var section: Int
  var commands: [Command] = []
}

extension ManualPage.Command {
  /// Takes a discussion apart: paragraphs, and headings with indented lines below them.
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

  /// Lines with nothing blank between them.
  static func blocks(_ text: String) -> [[String]] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.split { $0.allSatisfy(\.isWhitespace) }.map { $0.map(String.init) }
  }
}
