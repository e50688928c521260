/// Suggestions for misspelled words, for error messages.
package enum Suggestion {
  /// Returns the word that was most likely meant; nil if none is close.
  ///
  /// - Parameters:
  ///   - word: The unknown word.
  ///   - words: The known words.
  /// - Returns: The closest word, if the distance is 1 or at most a third of its length.
  package static func nearest(to word: String, in words: [String]) -> String? {
    let known = words.map { (word: $0, distance: distance(word.lowercased(), $0.lowercased())) }
    guard let best = known.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, best.word.count / 3) ? best.word : nil
  }

  /// Returns the number of insertions, deletions, replacements and swaps of adjacent letters between two words.
  ///
  /// This is the optimal string alignment distance. Only the first 64 letters of each word are compared.
  ///
  /// - Parameters:
  ///   - first: One word.
  ///   - second: The other word.
  /// - Returns: The distance, 0 for equal words.
  package static func distance(_ first: String, _ second: String) -> Int {
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
