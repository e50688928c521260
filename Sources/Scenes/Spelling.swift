/// Guesses which word was meant, for refusals of unknown ones.
public enum Spelling {
  /// The word of the list that was most likely meant, or nil where none is near: at most a third of it differs.
  public static func nearest(to word: String, in words: [String]) -> String? {
    let known = words.map { (word: $0, distance: distance(word.lowercased(), $0.lowercased())) }
    guard let best = known.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, best.word.count / 3) ? best.word : nil
  }

  /// How many letters must be put in, taken out or replaced to make one word of the other (Levenshtein). Of longer ones
  /// the first 64 letters count.
  public static func distance(_ first: String, _ second: String) -> Int {
    let other = Array(second.prefix(64))
    var row = Array(0...other.count)
    for (i, letter) in first.prefix(64).enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, otherLetter) in other.enumerated() {
        let replaced = diagonal + (letter == otherLetter ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
