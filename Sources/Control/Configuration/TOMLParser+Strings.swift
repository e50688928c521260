extension TOMLParser {
  /// Parses a string of any of TOML's four kinds; a key must be a single-line one.
  mutating func string(isKey: Bool) throws(TOMLError) -> String {
    let start = line
    guard let quote = byte else { return "" }
    let isLong = count(of: quote) >= 3 && !isKey
    at += isLong ? 3 : 1
    if isLong { _ = consumeLineEnd() }
    var text: [UInt8] = []
    while let byte {
      if byte == quote, closes(quote, isLong, &text) { return String(decoding: text, as: UTF8.self) }
      try piece(quote, isLong, &text)
    }
    throw TOMLError(line: start, reason: "the string that begins here is not closed")
  }

  /// Returns how many of these bytes follow, at most 6.
  private func count(of wanted: UInt8) -> Int { bytes[at...].prefix(6).prefix { $0 == wanted }.count }

  /// Consumes closing quotes, up to two of which can belong to the content of a multi-line string.
  private mutating func closes(_ quote: UInt8, _ isLong: Bool, _ text: inout [UInt8]) -> Bool {
    let quotes = count(of: quote)
    guard isLong else {
      at += 1
      return true
    }
    guard quotes >= 3 else { return false }
    let own = min(quotes, 5) - 3
    text += [UInt8](repeating: quote, count: own)
    at += own + 3
    return true
  }

  private mutating func piece(_ quote: UInt8, _ isLong: Bool, _ text: inout [UInt8]) throws(TOMLError) {
    guard let byte else { return }
    if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { return try escape(isLong, &text) }
    if consumeLineEnd() {
      guard isLong else { throw TOMLError(line: line - 1, reason: "the string is not closed at the end of the line") }
      text.append(UInt8(ascii: "\n"))
      return
    }
    guard !Self.isControl(byte) else {
      throw error("the string has a control character (\(byte)); write it as an escape like \\u0007")
    }
    text.append(byte)
    at += 1
  }

  private mutating func escape(_ isLong: Bool, _ text: inout [UInt8]) throws(TOMLError) {
    at += 1
    if isLong, try skipEscapedLineEnd() { return }
    guard let byte else { return }
    at += 1
    switch byte {
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(byte)
    case UInt8(ascii: "u"): text += try codePoint(digits: 4)
    case UInt8(ascii: "U"): text += try codePoint(digits: 8)
    default:
      at -= 1
      throw error("there is no escape \\\(found); write a backslash as \\\\, or the string in single quotes")
    }
  }

  /// Skips the whitespace and line ends after a backslash at the end of a line.
  private mutating func skipEscapedLineEnd() throws(TOMLError) -> Bool {
    let start = at
    skipBlanks()
    guard consumeLineEnd() else {
      at = start
      return false
    }
    repeat { skipBlanks() } while consumeLineEnd()
    return true
  }

  private mutating func codePoint(digits: Int) throws(TOMLError) -> [UInt8] {
    let text = bytes[at...].prefix(digits)
    let isHex = text.count == digits && text.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    guard isHex, let number = UInt32(String(decoding: text, as: UTF8.self), radix: 16),
      let scalar = UnicodeScalar(number)
    else { throw error("\\u needs four hexadecimal digits and \\U eight, and they must be those of a character") }
    at += digits
    return Array(String(Character(scalar)).utf8)
  }
}
