/// A matcher of wildcard patterns in configurations.
///
/// `*` matches any characters or none, and `?` matches one character. Matching is case-sensitive and covers the whole
/// text.
enum Wildcards {
  /// Returns true if the text matches the pattern.
  ///
  /// The number of steps is at most the product of the two lengths.
  static func fit(_ text: String, _ pattern: String) -> Bool {
    let text = Array(text)
    let pattern = Array(pattern)
    var (at, next) = (0, 0)
    // The pattern position after the last star, and the text position after the characters that this star has matched.
    var star: (next: Int, at: Int)?
    while at < text.count {
      if next < pattern.count, pattern[next] == "*" {
        next += 1
        star = (next, at)
      } else if next < pattern.count, pattern[next] == "?" || pattern[next] == text[at] {
        (at, next) = (at + 1, next + 1)
      } else if let last = star {
        // Let the last star match one more character. Earlier stars need no backtracking: the last one can match any
        // text.
        (at, next) = (last.at + 1, last.next)
        star = (last.next, at)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == "*" }
  }
}
