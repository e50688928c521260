import CFriBidi
import Foundation
import SeededRandom
import Testing

@testable import Typesetting

/// Unicode's own test files (Debian's unicode-data: Unicode 15, or 15.1 on Debian 13) for line breaks and directions.
struct UnicodeTests {
  private static let folder = "/usr/share/unicode"

  /// Returns the file's lines as fields of numbers and signs, without comments.
  private static func lines(of name: String) throws -> [[Substring]] {
    let path = "\(folder)/\(name)"
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    return text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let line = line.prefix { $0 != UInt8(ascii: "#") }
      return line.isEmpty ? nil : line.split(separator: UInt8(ascii: ";")).map { Substring($0) }
    }
  }

  private static func scalars(_ values: [UInt32]) -> [TextScalar] {
    let text = String(String.UnicodeScalarView(values.compactMap(Unicode.Scalar.init)))
    return text.enumerated().flatMap { place, character in
      character.unicodeScalars.map {
        TextScalar(value: $0.value, character: UInt32(place), piece: CharacterRole(character))
      }
    }
  }

  /// Returns whether ICU intentionally departs from the rules.
  ///
  /// A number keeps the point or comma before it (`a.2`, ` .35`; LB25). A hyphen at the beginning stays with what
  /// follows (LB20a of Unicode 16). The digits of Balinese (1B50) have the class AS since Unicode 16, which ICU 76 of
  /// Debian 13 implements; they had NU before.
  private static func isKnownDifference(_ scalars: [TextScalar], at place: Int) -> Bool {
    let before = scalars[..<place].last { !$0.isMark }?.value
    return [0x2C, 0x2D, 0x2E, 0x1B50].contains(before) || [0x2E, 0x1B50].contains(scalars[place].value)
  }

  @Test func `lines break as in Unicode's LineBreakTest`() throws {
    let breaks = try #require(LineBreaks())
    let tests = try Self.lines(of: "auxiliary/LineBreakTest.txt")
    #expect(tests.count > 7000)
    var known = 0
    for test in tests {
      let fields = test[0].split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" })
      let values = stride(from: 1, to: fields.count, by: 2).compactMap { UInt32(fields[$0], radix: 16) }
      let scalars = Self.scalars(values)
      try #require(scalars.count == values.count)
      let found = breaks.opportunities(in: scalars)
      for place in scalars.indices.dropFirst() where found[place] != (fields[2 * place] == "÷") {
        // Lines never break inside a Character. UAX #14 breaks before a mark that follows a space, but in Swift both
        // are one.
        if scalars[place].character == scalars[place - 1].character { continue }
        known += 1
        #expect(Self.isKnownDifference(scalars, at: place), "\(test[0]) at \(place)")
      }
    }
    // ICU 72 has 22 such lines, one of them twice; ICU 76 has 30 places.
    #expect(known <= 30)
  }

  @Test(arguments: [
    ("21.5 kg |of |bread", "a unit"), ("at |20 km/h, |or |so", "a unit with punctuation"), ("costs |5 €", "a currency"),
    ("3 °C", "a degree"), ("12 pm", "a time"), ("3 |kings", "a word that begins like a unit"),
    ("a |km |away", "no number"), ("5  |kg", "two spaces"), ("100 m² |area", "a square"), ("7 |", "nothing after it"),
  ])
  func `a number and its unit stay together`(marked: String, why: String) {
    let scalars = Self.scalars(marked.unicodeScalars.map(\.value).filter { $0 != 0x7C })
    var breaks = LineBreaks.atSpaces(in: scalars)
    LineBreaks.keepUnits(with: scalars, in: &breaks)
    var wanted: Set<Int> = []
    var place = 0
    for scalar in marked.unicodeScalars {
      if scalar == "|" { wanted.insert(place) } else { place += 1 }
    }
    wanted.remove(scalars.count)
    #expect(Set(breaks.indices.filter { breaks[$0] }) == wanted, "\(why)")
  }

  @Test(arguments: [
    ("สวัสดี|ครับ", "Thai words are not divided by spaces"), ("「日|本」|テ|ス|ト。", "kinsoku"),
    ("안녕 |하세요", "Korean breaks at spaces, or between syllables"), ("a\u{A0}b |c", "a fixed space"),
    ("well-|known", "hyphen"), ("3.5 |km", "number"), ("👩‍🚒|👩‍🚒", "joined emoji"),
  ])
  func `lines break where readers expect it`(marked: String, why: String) throws {
    let breaks = try #require(LineBreaks())
    let text = marked.replacing("|", with: "")
    let scalars = Self.scalars(text.unicodeScalars.map(\.value))
    let found = breaks.opportunities(in: scalars)
    var wanted: Set<Int> = []
    var place = 0
    for scalar in marked.unicodeScalars {
      if scalar == "|" { wanted.insert(place) } else { place += 1 }
    }
    for place in wanted { #expect(found[place], "\(why): \(text) at \(place)") }
    for place in scalars.indices where found[place] && !wanted.contains(place) {
      // Hangul may also break between syllables.
      #expect(scalars[place].value >= 0xAC00 && scalars[place].value <= 0xD7A3, "\(why): \(text) at \(place)")
    }
  }

  @Test func `text that needs no rules breaks where ICU breaks it`() throws {
    let breaks = try #require(LineBreaks())
    let texts = [
      "Welcome to Building 4: please sign in at the front desk", "a.b c", "Gate 17, 3.5 km; now! Why? Yes.", "a  b",
      " x",
      "1,000.50 2:30", "end. ", "A.B",
    ]
    for text in texts {
      let scalars = Self.scalars(text.unicodeScalars.map(\.value))
      let places = LineBreaks.isPlain(scalars) ? LineBreaks.atSpaces(in: scalars) : nil
      if let places { #expect(places == breaks.opportunities(in: scalars), "\(text)") }
    }
    #expect(LineBreaks.isPlain(Self.scalars(texts[0].unicodeScalars.map(\.value))))
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<3000 {
      let letters = Array("ab1 .,!?:;".unicodeScalars)
      let values = (0..<8).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)].value }
      let scalars = Self.scalars(values)
      guard LineBreaks.isPlain(scalars) else { continue }
      let text = String(String.UnicodeScalarView(values.compactMap(Unicode.Scalar.init)))
      #expect(LineBreaks.atSpaces(in: scalars) == breaks.opportunities(in: scalars), "\(text.debugDescription)")
    }
  }

  @Test func `levels and order match Unicode's BidiCharacterTest`() throws {
    let tests = try Self.lines(of: "BidiCharacterTest.txt")
    #expect(tests.count > 90000)
    // One in eight: all of them pass, but take 5 seconds in a debug build.
    let step = unsafe getenv("PLACARD_ALL_TESTS") == nil ? 8 : 1
    for test in stride(from: 0, to: tests.count, by: step).map({ tests[$0] }) {
      let values = test[0].split(separator: " ").compactMap { UInt32($0, radix: 16) }
      let direction = [placard_bidi_ltr, placard_bidi_rtl, placard_bidi_auto][Int(test[1]) ?? 0]
      let bidi = try #require(BidiLevels(of: values, direction: direction))
      #expect(bidi.base == UInt8(test[2]), "\(test)")
      let expected = test[3].split(separator: " ").map { UInt8($0) }
      // Spaces at the end of a line are not shown (rule L1 defines their position).
      let end = values.lastIndex { !Self.isGap($0) }.map { $0 + 1 } ?? 0
      for place in 0..<end where expected[place] != nil && !Self.isGap(values[place]) {
        #expect(bidi.levels[place] == expected[place], "\(test) at \(place)")
      }
      let shown = expected.indices.filter { expected[$0] != nil }
      let order = BidiLevels.visualOrder(of: shown.map { expected[$0] ?? 0 }).map { shown[$0] }
      #expect(order == test.last?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }, "\(test)")
    }
  }

  /// Returns whether a character is a space, a tab or invisible.
  private static func isGap(_ value: UInt32) -> Bool {
    [0x9, 0x20, 0x2028, 0x200B].contains(value) || (0x2066...0x2069).contains(value)
  }
}

extension TextScalar {
  fileprivate var isMark: Bool {
    Unicode.Scalar(value).map { $0.properties.isGraphemeExtend } ?? false
  }
}
