import ArgumentParser

/// The error for an argument that names no command, with the command that was probably meant.
enum CommandSuggestion {
  /// The options of the service, which may come before the command, each with a value.
  private static let serviceOptions: Set = ["--socket", "--url", "--token-file", "--timeout"]

  /// Returns the message for these arguments; nil if they name a known command or start with another option.
  static func message(for arguments: [String]) -> String? {
    var words = arguments[...]
    while let option = words.first, serviceOptions.contains(option) { words = words.dropFirst(2) }
    guard let word = words.first, !word.hasPrefix("-"), word != "help" else { return nil }
    guard let command = Placard.configuration.subcommands.first(where: { names(of: $0).contains(word) }) else {
      let advice = nearest(to: word, of: Placard.configuration.subcommands.flatMap(names(of:))).map { "placard \($0)" }
      return message("unknown command '\(Table.printable(word))'", advice, "placard [<options>] <subcommand>")
    }
    let subcommands = command.configuration.subcommands.flatMap(names(of:))
    // A lone word may be a file; one before another argument names a subcommand.
    guard let second = words.dropFirst().first, words.count > 2, !second.hasPrefix("-"), !subcommands.contains(second),
      let meant = nearest(to: second, of: subcommands)
    else { return nil }
    return message(
      "unknown subcommand '\(Table.printable(second))' of \(word)", "placard \(word) \(meant)",
      "placard \(word) [<options>] <subcommand>")
  }

  private static func message(_ unknown: String, _ meant: String?, _ usage: String) -> String {
    let advice = meant.map { "Did you mean `\($0)`?" } ?? "`placard --help` lists the commands."
    return "placard: \(unknown). \(advice)\nUsage: \(usage)"
  }

  /// The name and the aliases of a command.
  private static func names(of command: any ParsableCommand.Type) -> [String] {
    [command.configuration.commandName ?? "\(command)".lowercased()] + command.configuration.aliases
  }

  /// Returns the first of the most similar commands whose distance is less than half of the longer word's length.
  static func nearest(to word: String, of known: [String]) -> String? {
    let ranked = known.map { (name: $0, edits: edits(from: Array(word), to: Array($0))) }
    guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
    return 2 * best.edits < max(word.count, best.name.count) ? best.name : nil
  }

  /// Returns the number of letters to add, remove, replace or swap with a neighbor (optimal string alignment distance).
  static func edits(from one: [Character], to other: [Character]) -> Int {
    var rows = [Array(0...other.count)]
    for i in one.indices {
      var row = [i + 1]
      for j in other.indices {
        let isSame = one[i] == other[j]
        var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (isSame ? 0 : 1))
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] { least = min(least, rows[i - 1][j - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[one.count][other.count]
  }
}
