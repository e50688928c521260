extension TOMLParser {
  /// Parses a boolean or a number, up to whitespace, punctuation, a comment, or the end of the line.
  mutating func scalar() throws(TOMLError) -> TOMLValue {
    let start = at
    while let byte, !" \t\r\n,]}#=\"'[{".utf8.contains(byte) { at += 1 }
    let word = String(decoding: bytes[start..<at], as: UTF8.self)
    switch word {
    case "": throw error("expected a value, found \(found)")
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "inf", "+inf": return .float(.infinity)
    case "-inf": return .float(-.infinity)
    case "nan", "+nan", "-nan": return .float(.nan)
    default: return try number(word)
    }
  }

  private func number(_ word: String) throws(TOMLError) -> TOMLValue {
    let bytes = Array(word.utf8)
    guard bytes.contains(where: Self.isDigit), Self.isDigit(bytes[0]) || bytes[0] == 0x2B || bytes[0] == 0x2D else {
      throw error("\(word) is not a value; write a string in quotes: \"\(word)\"")
    }
    guard !bytes.contains(UInt8(ascii: ":")), !Self.isDate(bytes) else {
      throw error("\(word) is a date or a time, which no setting accepts; write a string in quotes")
    }
    guard let plain = Self.withoutUnderscores(bytes) else {
      throw error("\(word) is not a number: an underscore is allowed only between two digits")
    }
    if let value = Self.integer(plain) ?? Self.float(plain) { return value }
    throw error("\(word) is not a number, or is too large for 64 bits; write a string in quotes")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Returns whether the text starts like 1979-05-27.
  private static func isDate(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 5 && bytes[..<4].allSatisfy(isDigit) && bytes[4] == UInt8(ascii: "-")
  }

  private static func withoutUnderscores(_ bytes: [UInt8]) -> String? {
    for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: "_") {
      guard place > 0, place + 1 < bytes.count else { return nil }
      let isBetween = [bytes[place - 1], bytes[place + 1]].allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
      guard isBetween else { return nil }
    }
    return String(decoding: bytes.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
  }

  /// Parses an integer: decimal without leading zeros, or 0x, 0o, 0b without a sign.
  private static func integer(_ text: String) -> TOMLValue? {
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where text.hasPrefix(prefix) {
      let digits = text.dropFirst(2)
      guard digits.first != "-", digits.first != "+" else { return nil }
      return Int(digits, radix: radix).map(TOMLValue.integer)
    }
    guard !hasLeadingZero(text) else { return nil }
    return Int(text).map(TOMLValue.integer)
  }

  /// Parses a number with a decimal point, an exponent, or both, and with digits on both sides of the point.
  private static func float(_ text: String) -> TOMLValue? {
    let isPlain = text.utf8.allSatisfy { isDigit($0) || "+-.eE".utf8.contains($0) }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isRound = parts.count == 1 || parts.dropFirst().first?.utf8.first.map(isDigit) == true
    let isBefore = parts.first?.utf8.last.map(isDigit) == true
    let isFloat = text.utf8.contains { ".eE".utf8.contains($0) }
    guard isPlain, isFloat, isRound, isBefore, !hasLeadingZero(text) else { return nil }
    return Double(text).map(TOMLValue.float)
  }

  private static func hasLeadingZero(_ text: String) -> Bool {
    let digits = Array((text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]).utf8)
    return digits.count > 1 && digits[0] == 0x30 && isDigit(digits[1])
  }
}
