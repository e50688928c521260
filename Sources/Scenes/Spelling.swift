/// Guesses which word was meant, for refusals of unknown ones.
public enum Spelling {
  /// The word of the list that was most likely meant, or nil where none is near: at most a third of it differs.
  public static func nearest(to word: String, in words: [String]) -> String? {
    let known = words.map { (word: $0, distance: distance(word.lowercased(), $0.lowercased())) }
    guard let best = known.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, best.word.count / 3) ? best.word : nil
  }

  /// How many letters must be put in, taken out, replaced or exchanged with their neighbour to make one word of the other
  /// (optimal string alignment). Of longer ones the first 64 letters count.
  public static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first.prefix(64)), Array(second.prefix(64)))
    var rows = [Array(0...second.count)]
    for i in first.indices {
      var row = [i + 1]
      for j in second.indices {
        let replaced = rows[i][j] + (first[i] == second[j] ? 0 : 1)
        var least = min(replaced, rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[first.count][second.count]
  }
}
