import Glibc

/// The texts of the measurements.
enum Texts {
  static let banner = "Welcome to Building 4: please sign in at the front desk and wear your badge"
  static let number = ["Gate 17 is boarding now", "Gate 18 is boarding now"]
  static let word = [
    "Welcome to Building 4: please sign in at the front desk and wear your badge",
    "Welcome to Building 4: please sign in at the north desk and wear your badge",
  ]

  /// Returns a text that was not shown before, with another font size than the previous one.
  static func new(_ round: Int) -> String {
    let words = [
      "Quarterly", "review", "moved", "to", "room", "Jupiter", "bring", "your", "laptop", "and", "questions",
    ]
    let count = 4 + round % 8
    return (0..<count).map { words[($0 * 5 + round) % words.count] }.joined(separator: " ") + " \(round)"
  }

  static let page = Array(repeating: "The quick brown fox jumps over the lazy dog, and then some more.", count: 100)
    .joined(separator: " ")
}

/// Optional fonts.
enum FontFiles {
  /// The emoji font of Debian's package fonts-noto-color-emoji.
  static let emoji = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"
  static var hasEmoji: Bool { unsafe access(emoji, R_OK) == 0 }
}
