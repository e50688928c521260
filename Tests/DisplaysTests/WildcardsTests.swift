import Testing

@testable import Displays

struct WildcardsTests {
  @Test(arguments: [
    ("", ""), ("", "*"), ("DP-1", "DP-1"), ("DP-1", "*"), ("DP-1", "DP-?"), ("DP-1", "??-*"), ("DP-1", "D*1"),
    ("DP-1", "**"), ("aXbXc", "*X*"), ("aab", "*ab"), ("mississippi", "m*iss*p?"), ("é", "?"), ("a*b", "a*b"),
  ])
  func `A matching text fits the pattern`(text: String, pattern: String) {
    #expect(Wildcards.fit(text, pattern))
  }

  @Test(arguments: [
    ("", "?"), ("DP-1", ""), ("DP-1", "DP"), ("DP-1", "P-1"), ("DP-1", "dp-1"), ("DP-1", "DP-1?"), ("DP-1", "DP-1?*"),
    ("aab", "*aa"), ("mississippi", "m*iss*x*"),
  ])
  func `A text that does not match does not fit the pattern`(text: String, pattern: String) {
    #expect(!Wildcards.fit(text, pattern))
  }

  @Test func `Any text and pattern of few letters match as in the reference implementation`() {
    let seed = UInt64.random(in: .min ... .max)
    var state = seed
    func word(_ letters: [Character]) -> String {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var rest = state >> 33
      var word = ""
      for _ in 0..<(rest % 8) {
        rest = rest / 3 &+ 7
        word.append(letters[Int(rest) % letters.count])
      }
      return word
    }
    for _ in 0..<3000 {
      let (text, pattern) = (word(["a", "b"]), word(["a", "b", "*", "?", "*"]))
      #expect(Wildcards.fit(text, pattern) == plain(text[...], pattern[...]), "seed \(seed): \(text) \(pattern)")
    }
  }

  @Test func `Many stars take at most the product of both lengths`() {
    #expect(!Wildcards.fit(String(repeating: "a", count: 2000), String(repeating: "a*", count: 1000) + "b"))
  }

  private func plain(_ text: Substring, _ pattern: Substring) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return plain(text, pattern.dropFirst()) || !text.isEmpty && plain(text.dropFirst(), pattern)
    }
    return text.first.map { first == "?" || first == $0 } ?? false && plain(text.dropFirst(), pattern.dropFirst())
  }
}
