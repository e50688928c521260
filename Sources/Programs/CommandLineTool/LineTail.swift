/// The last lines of a text that arrives in parts, as a terminal would show them.
///
/// After a carriage return, a line is replaced by its newest state. Sequences that set colors or move the cursor are
/// removed.
struct LineTail {
  /// The maximum length of a line in bytes; the rest is dropped.
  static let longest = 1 << 16

  /// The number of lines to keep, at least 1.
  let count: Int

  private var lines: [String] = []
  /// The number of blank lines at the end, which appear once another line follows.
  private var blanks = 0
  /// The line that is not yet terminated.
  private var line: [UInt8] = []
  /// Whether a carriage return was the last byte; unless a line feed follows, the line starts again.
  private var isReturned = false
  /// Whether the line has had a carriage return, so that it counts before its end.
  private var isRewritten = false

  init(count: Int) { self.count = count }

  /// The current lines; empty before the first one.
  var text: String {
    let open = Self.plain(line)
    guard isRewritten, !Self.isBlank(open) else { return lines.joined(separator: "\n") }
    return (lines + [String](repeating: "", count: blanks) + [open]).suffix(count).joined(separator: "\n")
  }

  /// Appends bytes to the text.
  mutating func append(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n"): endLine()
      case UInt8(ascii: "\r"): (isReturned, isRewritten) = (true, true)
      default: add(byte)
      }
    }
  }

  /// Ends the text, which also ends a line without a line feed.
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

  /// Returns a line without control sequences (ECMA-48: CSI, OSC and the short ones).
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
