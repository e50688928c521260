extension TOMLParser {
  /// The next byte; nil at the end.
  var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

  /// A description of the next character, for errors.
  var found: String {
    guard let byte else { return "the end of the file" }
    if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return "the end of the line" }
    let character = String(decoding: bytes[at...].prefix(16), as: UTF8.self).first
    return character.map { "\"\($0)\"" } ?? "a byte that is not text"
  }

  /// Creates an error at this line.
  func error(_ reason: String) -> TOMLError { TOMLError(line: line, reason: reason) }

  /// Consumes a byte if it is next.
  mutating func consume(_ wanted: UInt8) -> Bool {
    guard byte == wanted else { return false }
    at += 1
    return true
  }

  /// Skips spaces and tabs.
  mutating func skipBlanks() {
    while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { at += 1 }
  }

  /// Skips whitespace, line ends, and comments, and returns whether any text follows.
  mutating func skipToStatement() throws(TOMLError) -> Bool {
    repeat {
      skipBlanks()
      try skipComment()
    } while consumeLineEnd()
    return byte != nil
  }

  /// Throws if anything but a comment follows a statement on its line.
  mutating func endStatement() throws(TOMLError) {
    skipBlanks()
    try skipComment()
    guard consumeLineEnd() || byte == nil else { throw error("expected the end of the line, found \(found)") }
  }

  /// Consumes a line end, `\n` or `\r\n`, if it is next.
  mutating func consumeLineEnd() -> Bool {
    let isPair = byte == UInt8(ascii: "\r") && at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "\n")
    guard isPair || byte == UInt8(ascii: "\n") else { return false }
    at += isPair ? 2 : 1
    line += 1
    return true
  }

  private mutating func skipComment() throws(TOMLError) {
    guard byte == UInt8(ascii: "#") else { return }
    while let byte, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
      guard !Self.isControl(byte) else { throw error("the comment has a control character; remove it") }
      at += 1
    }
  }

  /// Returns whether a byte must be escaped: all control characters except tab (TOML 1.0, "Comment").
  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F }
}
