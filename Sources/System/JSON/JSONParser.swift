/// A parser that reads a JSON text from left to right.
struct JSONParser {
  /// The maximum nesting depth, which bounds the use of the stack.
  static let depthLimit = 128

  private let bytes: [UInt8]
  private var at = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Parses a JSON text.
  static func parse(_ bytes: [UInt8]) throws(DecodingError) -> JSONValue {
    var parser = Self(bytes)
    let value = try parser.value(depth: 0)
    parser.skipBlanks()
    guard parser.at == bytes.count else { throw parser.error("the end of the text") }
    return value
  }

  private mutating func value(depth: Int) throws(DecodingError) -> JSONValue {
    skipBlanks()
    switch next {
    case "{": return .object(try members(depth))
    case "[": return .array(try elements(depth))
    case "\"": return .string(try string())
    case "-", "0"..."9": return .number(try number())
    case "t": return try word("true", .bool(true))
    case "f": return try word("false", .bool(false))
    case "n": return try word("null", .null)
    default: throw error("a value")
    }
  }

  private mutating func members(_ depth: Int) throws(DecodingError) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    try list(to: "}", depth) { parser throws(DecodingError) in
      parser.skipBlanks()
      guard parser.next == "\"" else { throw parser.error("a key in quotes") }
      let key = try parser.string()
      parser.skipBlanks()
      guard parser.consume(":") else { throw parser.error("':'") }
      let value = try parser.value(depth: depth + 1)
      if members[key] == nil { members[key] = value }
    }
    return members
  }

  private mutating func elements(_ depth: Int) throws(DecodingError) -> [JSONValue] {
    var elements: [JSONValue] = []
    try list(to: "]", depth) { parser throws(DecodingError) in
      elements.append(try parser.value(depth: depth + 1))
    }
    return elements
  }

  /// Parses comma-separated items up to the closing bracket.
  private mutating func list(
    to end: Unicode.Scalar, _ depth: Int, item: (inout Self) throws(DecodingError) -> Void
  ) throws(DecodingError) {
    guard depth < Self.depthLimit else { throw error("at most \(Self.depthLimit) nested levels") }
    at += 1
    skipBlanks()
    if consume(end) { return }
    repeat {
      try item(&self)
      skipBlanks()
    } while consume(",")
    guard consume(end) else { throw error("',' or '\(end)'") }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(DecodingError) -> JSONValue {
    guard bytes[at...].starts(with: word.utf8) else { throw error(word) }
    at += word.utf8.count
    return value
  }

  private mutating func number() throws(DecodingError) -> String {
    let start = at
    _ = consume("-")
    if !consume("0") { try digits() }
    if consume(".") { try digits() }
    if consume("e") || consume("E") {
      _ = consume("+") || consume("-")
      try digits()
    }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func digits() throws(DecodingError) {
    let start = at
    while case "0"..."9" = next { at += 1 }
    guard at > start else { throw error("a digit") }
  }
}

extension JSONParser {
  private mutating func string() throws(DecodingError) -> String {
    at += 1
    var text: [UInt8] = []
    while true {
      text += plain()
      switch next {
      case "\"":
        guard let string = String(validating: text, as: UTF8.self) else { throw error("a string in valid UTF-8") }
        at += 1
        return string
      case "\\":
        at += 1
        text += try escape().utf8
      default: throw error("a closing quote, or an escape for a control character")
      }
    }
  }

  /// Consumes bytes up to a quote, a backslash, a control character, or the end.
  private mutating func plain() -> ArraySlice<UInt8> {
    let start = at
    while at < bytes.count, bytes[at] >= 0x20, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\") {
      at += 1
    }
    return bytes[start..<at]
  }

  /// The characters after a backslash, and their meanings.
  private static let escapes: [(Unicode.Scalar, String)] = [
    ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{C}"), ("n", "\n"), ("r", "\r"), ("t", "\t"),
  ]

  private mutating func escape() throws(DecodingError) -> String {
    for (letter, text) in Self.escapes where consume(letter) { return text }
    guard consume("u") else { throw error("one of \"\\/bfnrtu after the backslash") }
    var units = [try unit()]
    if UTF16.isLeadSurrogate(units[0]), consume("\\"), consume("u") { units.append(try unit()) }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw error("the other half of a surrogate pair")
    }
    return text
  }

  /// Parses four hexadecimal digits.
  private mutating func unit() throws(DecodingError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(next).hexDigitValue else { throw error("four hexadecimal digits after \\u") }
      unit = unit << 4 | UInt16(digit)
      at += 1
    }
    return unit
  }
}

extension JSONParser {
  /// The next byte; NUL at the end. Neither NUL nor a byte beyond ASCII is part of JSON's grammar outside strings.
  private var next: Unicode.Scalar { at < bytes.count ? Unicode.Scalar(bytes[at]) : "\0" }

  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard next == character else { return false }
    at += 1
    return true
  }

  private mutating func skipBlanks() {
    while next == " " || next == "\n" || next == "\r" || next == "\t" { at += 1 }
  }

  private func error(_ expected: String) -> DecodingError {
    let newline = UInt8(ascii: "\n")
    let line = bytes[..<at].count { $0 == newline } + 1
    let column = bytes[..<at].reversed().prefix { $0 != newline }.count { $0 & 0xC0 != 0x80 } + 1
    let found = at == bytes.count ? "the end" : next.isASCII ? String(next).debugDescription : "a non-ASCII character"
    let sentence = "Line \(line), column \(column): expected \(expected), found \(found)."
    return .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: sentence))
  }
}
