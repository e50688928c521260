import Primitives

/// The patterns of a hyphenation dictionary in the format of LibreOffice and TeX, for Liang's algorithm.
///
/// A pattern such as `.ab1er` has digits between letters, and a point for the beginning or end of a word. All patterns
/// that occur in a word are laid over it. At each place the highest digit wins, and an odd one permits a hyphen. The
/// source is F. M. Liang, "Word Hy-phen-a-tion by Com-put-er", 1983.
struct HyphenationPatterns: Sendable {
  /// The text of the dictionary in UTF-8.
  private let text: [UInt8]
  /// A hash table of patterns by their letters: the index of a pattern's first byte in `text`, plus 1; 0 if unused.
  private var slots: [UInt32]
  /// The number of bytes of the letters of the longest pattern.
  private var longest = 0
  /// The smallest numbers of letters before and after a hyphen.
  private var margins = (before: 2, after: 2)

  /// Reads patterns.
  ///
  /// - Parameter text: The lines of the dictionary after the first, in UTF-8. Lines that are not patterns are ignored.
  init(_ text: [UInt8]) {
    self.text = text
    let lines = text.count { $0 == UInt8(ascii: "\n") } + 1
    var capacity = 16
    while capacity < 2 * lines { capacity *= 2 }
    slots = [UInt32](repeating: 0, count: capacity)
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      add(start..<end)
      start = end + 1
    }
  }

  /// Returns the places in a word at which a line may end with a hyphen.
  ///
  /// - Parameter word: The word in lowercase letters.
  /// - Returns: The numbers of code points before each place, ascending.
  func places(in word: String) -> [Int] {
    let point = UInt8(ascii: ".")
    let bytes = [point] + Array(word.utf8) + [point]
    var digits = [UInt8](repeating: 0, count: bytes.count + 1)
    // Whether the digit belongs to a pattern that changes the spelling.
    var changes = [Bool](repeating: false, count: bytes.count + 1)
    for first in bytes.indices {
      var hash = FNV1a.start
      for end in first..<min(first + longest, bytes.count) {
        hash = FNV1a.hash(CollectionOfOne(bytes[end]), after: hash)
        guard let pattern = pattern(bytes[first...end], hash) else { continue }
        let isChange = changesSpelling(pattern)
        for (place, digit) in self.digits(of: pattern) where digit >= digits[first + place] {
          digits[first + place] = digit
          changes[first + place] = isChange
        }
      }
    }
    let count = word.unicodeScalars.count
    var places: [Int] = []
    var (index, letters) = (1, 0)
    for scalar in word.unicodeScalars {
      let isOdd = digits[index] & 1 == 1 && !changes[index]
      if isOdd, letters >= margins.before, count - letters >= margins.after { places.append(letters) }
      index += UTF8.width(scalar)
      letters += 1
    }
    return places
  }

  // MARK: The table

  private mutating func add(_ line: Range<Int>) {
    // Keywords such as NEXTLEVEL are in capitals. Patterns of all levels are used together.
    guard let start = line.first(where: { text[$0] != UInt8(ascii: " ") }), case let first = text[start],
      !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first),
      first != UInt8(ascii: "%"), first != UInt8(ascii: "#")
    else { return readMargin(line) }
    let letters = letters(from: start)
    guard !letters.isEmpty, line.contains(where: { isDigit(text[$0]) }) else { return }
    longest = max(longest, letters.count)
    // A later pattern replaces an earlier one with the same letters.
    let slot = slot(of: letters[...], FNV1a.hash(letters))
    slots[slot] = UInt32(start) + 1
  }

  /// Reads a line such as `RIGHTHYPHENMIN 3`.
  private mutating func readMargin(_ line: Range<Int>) {
    let words = text[line].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 2, let letters = Int(words[1].prefix { $0.isASCII && $0.isNumber }), letters > 0 else {
      return
    }
    switch words[0] {
    case "LEFTHYPHENMIN": margins.before = letters
    case "RIGHTHYPHENMIN": margins.after = letters
    default: break
    }
  }

  /// Returns the index of a pattern with these letters; nil if there is none.
  private func pattern(_ letters: ArraySlice<UInt8>, _ hash: UInt64) -> Int? {
    let slot = slots[slot(of: letters, hash)]
    return slot == 0 ? nil : Int(slot) - 1
  }

  /// Returns the slot of the pattern with these letters, or the unused one in its place. Half of the slots are unused.
  private func slot(of letters: ArraySlice<UInt8>, _ hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash ^ hash >> 32) & (slots.count - 1)
    while slots[slot] != 0, !hasLetters(letters, at: Int(slots[slot]) - 1) { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  // MARK: Patterns

  private func isDigit(_ byte: UInt8) -> Bool { byte & 0xF0 == 0x30 && byte < 0x3A }

  /// Whether a byte ends the letters and digits of a pattern: white space, or `/` before a change of the spelling.
  private func isEnd(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == UInt8(ascii: "/") }

  private func letters(from index: Int) -> [UInt8] { text[index...].prefix { !isEnd($0) }.filter { !isDigit($0) } }

  private func hasLetters(_ letters: ArraySlice<UInt8>, at index: Int) -> Bool {
    var index = index
    for letter in letters {
      while index < text.count, isDigit(text[index]) { index += 1 }
      guard index < text.count, text[index] == letter else { return false }
      index += 1
    }
    while index < text.count, isDigit(text[index]) { index += 1 }
    return index == text.count || isEnd(text[index])
  }

  /// The digits of a pattern with the numbers of bytes before them; the last one of several at a place, as in libhyphen.
  private func digits(of pattern: Int) -> [(place: Int, digit: UInt8)] {
    var digits: [(place: Int, digit: UInt8)] = []
    var letters = 0
    for byte in text[pattern...].prefix(while: { !isEnd($0) }) {
      guard isDigit(byte) else {
        letters += 1
        continue
      }
      if digits.last?.place == letters { digits.removeLast() }
      digits.append((letters, byte & 0xF))
    }
    return digits
  }

  private func changesSpelling(_ pattern: Int) -> Bool {
    text[pattern...].first(where: isEnd) == UInt8(ascii: "/")
  }
}
