/// A JSON value as QMP speaks it (RFC 8259). Written here so that a program of the guest needs no Foundation.
enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// The member of an object; nil for anything else.
  subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  /// The text of a string; nil for anything else.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of a whole number; nil for anything else.
  var integer: Int? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// One line, members in order of their names.
  var encoded: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .number(let value): value.isFinite ? "\(value)" : "null"
    case .string(let text): JSON.quoted(text)
    case .array(let items): "[" + items.map(\.encoded).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { JSON.quoted($0.key) + ":" + $0.value.encoded }
        .joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{0}"..<"\u{20}":
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension JSON {
  /// The value that the bytes hold, or nil when they are no JSON, have something after it, or nest deeper than 64.
  init?(parsing bytes: some Collection<UInt8>) {
    var parser = JSONParser(bytes: Array(bytes))
    guard let value = parser.value(depth: 0), parser.isAtEnd else { return nil }
    self = value
  }
}

/// Reads one JSON text from left to right; nil anywhere means "not JSON".
private struct JSONParser {
  let bytes: [UInt8]
  var position = 0

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return position == bytes.count
    }
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func take(word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  mutating func value(depth: Int) -> JSON? {
    guard depth < 64 else { return nil }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "\""): return string().map(JSON.string)
    case UInt8(ascii: "t"): return take(word: "true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return take(word: "false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
    default: return number()
    }
  }

  private mutating func object(depth: Int) -> JSON? {
    position += 1
    var members: [String: JSON] = [:]
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\""), let key = string(), take(UInt8(ascii: ":")), let item = value(depth: depth + 1)
      else { return nil }
      members[key] = item
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? .object(members) : nil
  }

  private mutating func array(depth: Int) -> JSON? {
    position += 1
    var items: [JSON] = []
    if take(UInt8(ascii: "]")) { return .array(items) }
    repeat {
      guard let item = value(depth: depth + 1) else { return nil }
      items.append(item)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? .array(items) : nil
  }

  private mutating func number() -> JSON? {
    let start = position
    while let byte = next, "+-.eE0123456789".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if let integer = Int(text) { return .integer(integer) }
    return Double(text).map(JSON.number)
  }

  private mutating func string() -> String? {
    position += 1
    var content: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        content += Array(String(Character(scalar)).utf8)
      case 0..<0x20: return nil
      default: content.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return unicodeEscape()
    default: return nil
    }
  }

  /// Four hex digits, or a surrogate pair of two such escapes.
  private mutating func unicodeEscape() -> Unicode.Scalar? {
    guard let high = hexDigits() else { return nil }
    guard (0xd800..<0xdc00).contains(high) else { return Unicode.Scalar(high) }
    guard take(word: "\\u"), let low = hexDigits(), (0xdc00..<0xe000).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
  }

  private mutating func hexDigits() -> UInt32? {
    let end = position + 4
    guard end <= bytes.count else { return nil }
    defer { position = end }
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    guard text.allSatisfy(\.isHexDigit) else { return nil }
    return UInt32(text, radix: 16)
  }
}
