/// A parser of TOML 1.0, without dates and times, which records the line of each value.
///
/// The Swift packages for TOML use toml++ 3.4. It aborts the process on some malformed texts (`[=]`, `a = 12:`), and it
/// does not keep the location of a value. This parser accepts or rejects any text.
struct TOMLParser {
  /// The maximum depth, of dotted keys and of brackets.
  static let depthLimit = 16

  /// The text.
  let bytes: [UInt8]
  /// The current position.
  var at = 0
  /// The current line, from 1.
  var line = 1

  private init(_ text: String) {
    bytes = Array(text.utf8)
    // Skip a byte order mark, which is not part of the text.
    at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Parses a text and returns its root table.
  static func parse(_ text: String) throws(TOMLError) -> TOMLTable {
    var parser = TOMLParser(text)
    var root = TOMLTable(line: 1, origin: .header)
    var open: [String] = []
    while try parser.skipToStatement() {
      let line = parser.line
      if parser.byte == UInt8(ascii: "[") {
        open = try parser.header(in: &root)
      } else {
        let (path, node) = try parser.assignment()
        try root.change(open[...], line: line) { table throws(TOMLError) in
          try table.set(path[...], to: node, line: line)
        }
      }
      try parser.endStatement()
    }
    return root
  }

  private mutating func header(in root: inout TOMLTable) throws(TOMLError) -> [String] {
    let line = line
    at += 1
    let isArray = consume(UInt8(ascii: "["))
    let path = try keyPath()
    guard consume(UInt8(ascii: "]")), !isArray || consume(UInt8(ascii: "]")) else {
      throw error("write a table's header as [name], or as [[name]] for an array of tables")
    }
    try root.open(path[...], isArray: isArray, line: line)
    return path
  }

  private mutating func assignment() throws(TOMLError) -> (path: [String], node: TOMLNode) {
    let path = try keyPath()
    guard consume(UInt8(ascii: "=")) else {
      throw error("\"\(path.joined(separator: "."))\" needs a value: \(path.last ?? "key") = ...")
    }
    skipBlanks()
    return (path, try value(depth: 0))
  }

  /// Parses a dotted key such as `a."b c".d`, and the whitespace after it.
  private mutating func keyPath() throws(TOMLError) -> [String] {
    var path: [String] = []
    repeat {
      skipBlanks()
      path.append(try key())
      skipBlanks()
      if path.count > Self.depthLimit { throw error("a dotted key may have at most \(Self.depthLimit) parts") }
    } while consume(UInt8(ascii: "."))
    return path
  }

  private mutating func key() throws(TOMLError) -> String {
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try string(isKey: true) }
    let start = at
    while let byte, Self.isKeyByte(byte) { at += 1 }
    guard at > start else { throw error("expected a key, found \(found)") }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private static func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// Parses a value.
  mutating func value(depth: Int) throws(TOMLError) -> TOMLNode {
    guard depth < Self.depthLimit else {
      throw error("arrays and tables may be nested at most \(Self.depthLimit) levels deep")
    }
    let line = line
    let value: TOMLValue =
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): .string(try string(isKey: false))
      case UInt8(ascii: "["): .array(try array(depth: depth + 1))
      case UInt8(ascii: "{"): .table(try inlineTable(depth: depth + 1))
      default: try scalar()
      }
    return TOMLNode(value: value, line: line)
  }

  private mutating func array(depth: Int) throws(TOMLError) -> [TOMLNode] {
    at += 1
    var nodes: [TOMLNode] = []
    while true {
      _ = try skipToStatement()
      if consume(UInt8(ascii: "]")) { return nodes }
      nodes.append(try value(depth: depth))
      _ = try skipToStatement()
      guard consume(UInt8(ascii: ",")) || byte == UInt8(ascii: "]") else {
        throw error("expected ',' or ']' in the array, found \(found)")
      }
    }
  }

  private mutating func inlineTable(depth: Int) throws(TOMLError) -> TOMLTable {
    var table = TOMLTable(line: line, origin: .inline)
    at += 1
    skipBlanks()
    if consume(UInt8(ascii: "}")) { return table }
    while true {
      let path = try keyPath()
      guard consume(UInt8(ascii: "=")) else { throw error("a key in an inline table needs a value") }
      skipBlanks()
      try table.set(path[...], to: try value(depth: depth), line: line)
      skipBlanks()
      if consume(UInt8(ascii: "}")) { return table }
      guard consume(UInt8(ascii: ",")) else {
        throw error("expected ',' or '}' in the table, found \(found)")
      }
    }
  }
}
