/// The last lines of a text that comes in parts, as a terminal would show them: a line that is written over by a
/// carriage return is its newest state, and what sets colours or moves a cursor is left out.
struct LineTail {
  /// What is longer than that in one line, in bytes, is cut.
  static let longest = 1 << 16

  /// How many lines are kept, 1 or more.
  let count: Int

  private var lines: [String] = []
  /// Blank lines that are seen as soon as something stands below them.
  private var blanks = 0
  /// The line that has no end yet.
  private var line: [UInt8] = []
  /// A carriage return came: unless a line feed is next, the line begins anew.
  private var isReturned = false
  /// The line is one that is written over, so that it counts before its end.
  private var isRewritten = false

  init(count: Int) { self.count = count }

  /// The lines as they are now; empty before there is any.
  var text: String {
    let open = Self.plain(line)
    guard isRewritten, !Self.isBlank(open) else { return lines.joined(separator: "\n") }
    return (lines + [String](repeating: "", count: blanks) + [open]).suffix(count).joined(separator: "\n")
  }

  /// Takes more of the text.
  mutating func take(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n"): endLine()
      case UInt8(ascii: "\r"): (isReturned, isRewritten) = (true, true)
      default: add(byte)
      }
    }
  }

  /// The text has no more: what came last is a line, also without its end.
  mutating func finish() { if !line.isEmpty { endLine() } }

  private mutating func add(_ byte: UInt8) {
    if isReturned { line.removeAll(keepingCapacity: true) }
    isReturned = false
    if line.count < Self.longest { line.append(byte) }
  }

  private mutating func endLine() {
    let text = Self.plain(line)
    line.removeAll(keepingCapacity: true)
    (isReturned, isRewritten) = (false, false)
    if Self.isBlank(text) {
      blanks = min(blanks + 1, count)
    } else {
      let above = lines.isEmpty ? 0 : blanks
      lines = (lines + [String](repeating: "", count: above) + [text]).suffix(count)
      blanks = 0
    }
  }

  private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

  /// The text of a line without control sequences (ECMA-48: CSI, OSC and the short ones).
  private static func plain(_ bytes: [UInt8]) -> String {
    guard bytes.contains(0x1B) else { return String(decoding: bytes, as: UTF8.self) }
    var (kept, rest) = ([UInt8](), bytes[...])
    while let byte = rest.popFirst() {
      guard byte == 0x1B else {
        kept.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "["): rest = rest.drop { !(0x40...0x7E).contains($0) }.dropFirst()
      case UInt8(ascii: "]"): rest = rest.drop { $0 != 0x07 && $0 != 0x1B }.dropFirst()
      case UInt8(ascii: "("), UInt8(ascii: ")"): rest = rest.dropFirst()
      default: break
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}
