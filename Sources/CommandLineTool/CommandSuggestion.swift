import ArgumentParser

/// The error message for a first argument that names no command, with the most similar command.
enum CommandSuggestion {
  /// Returns the message for these arguments, or nil if they start with a known command, `help` or an option.
  static func message(for arguments: [String]) -> String? {
    guard let word = arguments.first, !word.hasPrefix("-"), word != "help" else { return nil }
    let known = names
    guard !known.contains(word) else { return nil }
    let unknown = "placard: unknown command '\(Table.printable(word))'."
    let advice = nearest(to: word, of: known).map { "Did you mean `placard \($0)`?" }
    return "\(unknown) \(advice ?? "`placard --help` lists the commands.")\nUsage: placard [<options>] <subcommand>"
  }

  /// The names and aliases of all commands.
  private static var names: [String] {
    Placard.configuration.subcommands.flatMap { command in
      [command.configuration.commandName ?? ""] + command.configuration.aliases
    }
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
