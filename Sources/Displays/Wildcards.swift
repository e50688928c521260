/// Patterns as people write them in a configuration: `*` stands for any letters or none, `?` for exactly one, all else
/// for itself. Capital and small letters differ, and the whole text must fit.
enum Wildcards {
  /// Whether the text fits the pattern. Takes at most as many steps as pattern times text have letters.
  static func fit(_ text: String, _ pattern: String) -> Bool {
    let text = Array(text)
    let pattern = Array(pattern)
    var (at, next) = (0, 0)
    // Where the newest star is, and where the text goes on behind what the star has taken so far.
    var star: (next: Int, at: Int)?
    while at < text.count {
      if next < pattern.count, pattern[next] == "*" {
        next += 1
        star = (next, at)
      } else if next < pattern.count, pattern[next] == "?" || pattern[next] == text[at] {
        (at, next) = (at + 1, next + 1)
      } else if let last = star {
        // The star takes one letter more. What an earlier star took need not change: the newest one takes any letter.
        (at, next) = (last.at + 1, last.next)
        star = (last.next, at)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == "*" }
  }
}
