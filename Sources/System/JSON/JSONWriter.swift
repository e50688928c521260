/// A writer of JSON text, with the keys of objects in code point order.
struct JSONWriter {
  private let isPretty: Bool
  private var bytes: [UInt8] = []
  private var depth = 0

  private init(isPretty: Bool) { self.isPretty = isPretty }

  /// Returns the text of a value, in one line or over several.
  static func write(_ value: JSONValue, isPretty: Bool) -> [UInt8] {
    var writer = Self(isPretty: isPretty)
    writer.write(value)
    return writer.bytes
  }

  private mutating func write(_ value: JSONValue) {
    switch value {
    case .null: put("null")
    case .bool(let isTrue): put(isTrue ? "true" : "false")
    case .number(let text): put(text)
    case .string(let text): quote(text)
    case .array(let elements): list("[", elements, "]") { $0.write($1) }
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      list("{", sorted, "}") { writer, member in
        writer.quote(member.key)
        writer.put(writer.isPretty ? " : " : ":")
        writer.write(member.value)
      }
    }
  }

  private mutating func list<Item>(
    _ start: String, _ items: [Item], _ end: String, each: (inout Self, Item) -> Void
  ) {
    put(start)
    depth += 1
    for (place, item) in items.enumerated() {
      if place > 0 { put(",") }
      breakLine()
      each(&self, item)
    }
    depth -= 1
    if isPretty, items.isEmpty { put("\n") }
    breakLine()
    put(end)
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    put("\n")
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  private mutating func quote(_ text: String) {
    put("\"")
    for byte in text.utf8 {
      switch Unicode.Scalar(byte) {
      // Almost all bytes are these, and the cases below take long in a debug build.
      case "#"..."[", "]"..."~": bytes.append(byte)
      case "\"": put("\\\"")
      case "\\": put("\\\\")
      case "\u{8}": put("\\b")
      case "\u{C}": put("\\f")
      case "\n": put("\\n")
      case "\r": put("\\r")
      case "\t": put("\\t")
      case "\0"..<" ": put((byte < 16 ? "\\u000" : "\\u00") + String(byte, radix: 16))
      default: bytes.append(byte)
      }
    }
    put("\"")
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
