/// A duration as people write it: `90s`, `10m`, `1h30m`, `2d`, `1w`.
struct Period: Hashable, Sendable {
  /// The duration in seconds, at least 1.
  let seconds: Int

  private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800]

  /// Returns a number of seconds as text, such as `1h30m`.
  static func words(seconds: Int) -> String {
    var (rest, words) = (seconds, "")
    for unit in units.sorted(by: { $0.value > $1.value }) where rest >= unit.value && unit.key != "w" {
      words += "\(rest / unit.value)\(unit.key)"
      rest %= unit.value
    }
    return words.isEmpty ? "0s" : words
  }

  /// Parses numbers with units; nil for any other text, and for a duration of 0 or of 2^40 seconds or more.
  init?(parsing text: String) {
    var (total, number) = (0, "")
    for letter in text {
      guard let unit = Self.units[letter] else {
        number.append(letter)
        continue
      }
      guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(number), count < 1 << 32 else {
        return nil
      }
      total += count * unit
      number = ""
      guard total < 1 << 40 else { return nil }
    }
    guard number.isEmpty, total > 0 else { return nil }
    seconds = total
  }
}
