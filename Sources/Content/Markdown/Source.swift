/// A text prepared for md4c, truncated to what md4c parses in well under a second.
///
/// The time that md4c takes is linear in the length of most texts. Measured with version 0.4.8, it is quadratic for
/// bare addresses, and for empty lines in deeply nested lists.
struct Source {
  /// One mebibyte, about 500 pages.
  static let mostBytes = 1 << 20
  /// The maximum indentation and quoting of a line, in columns.
  ///
  /// A list level takes two columns and a quote level one, so this limits the nesting that md4c checks for each line.
  /// With this limit, 1 MiB of empty lines takes 0.5 s.
  static let mostColumns = 512
  /// The maximum product of text length and number of addresses; parsing at this limit takes 0.15 s.
  private static let mostAddressSteps = 1 << 28

  /// Valid UTF-8 that ends with a newline, followed by `padding` more newlines that are not part of the text.
  ///
  /// md4c 0.4.8 reads past the end of a text that ends within a link. Without the padding, it would read arbitrary
  /// memory.
  private(set) var bytes: [UInt8]
  static let padding = 16
  private(set) var hasAddresses = true
  private(set) var warnings: [Warning] = []

  init(_ text: String) {
    bytes = Array(text.utf8.prefix(Self.mostBytes + 1))
    if bytes.count > Self.mostBytes {
      bytes.removeSubrange(Self.end(in: bytes)...)
      warnings.append(.long(bytes: text.utf8.count, kept: bytes.count))
    }
    // CommonMark 2.3 requires this replacement; md4c does not do it in code.
    if bytes.contains(0) { bytes = bytes.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] } }
    cutIndented()
    let count = addresses
    if count.multipliedReportingOverflow(by: bytes.count).partialValue > Self.mostAddressSteps {
      hasAddresses = false
      warnings.append(.manyAddresses(count))
    }
    bytes += [UInt8](repeating: UInt8(ascii: "\n"), count: 1 + Self.padding)
  }

  /// Returns the offset after the last complete line, or after the last complete code point of a single line.
  private static func end(in bytes: [UInt8]) -> Int {
    if let newline = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")) { return newline + 1 }
    var end = bytes.count - 1
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  private mutating func cutIndented() {
    var (line, start) = (1, 0)
    while start < bytes.count {
      if columns(at: start) > Self.mostColumns {
        bytes.removeSubrange(start...)
        warnings.append(.indented(line: line))
        return
      }
      guard let end = bytes[start...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return }
      (line, start) = (line + 1, end + 1)
    }
  }

  /// Returns the number of columns of spaces and quote markers before a line's own text; list markers are skipped.
  private func columns(at start: Int) -> Int {
    var columns = 0
    for byte in bytes[start...] {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: ">"): columns += 1
      case UInt8(ascii: "\t"): columns += 4
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "."), UInt8(ascii: ")"): break
      case UInt8(ascii: "0")...UInt8(ascii: "9"): break
      default: return columns
      }
      if columns > Self.mostColumns { break }
    }
    return columns
  }

  /// The maximum number of bare addresses, estimated from the occurrences of `:/` and `w.`.
  private var addresses: Int {
    var count = 0
    for (place, byte) in bytes.enumerated() where place > 0 {
      let before = bytes[place - 1]
      if byte == UInt8(ascii: "/"), before == UInt8(ascii: ":") { count += 1 }
      if byte == UInt8(ascii: "."), before | 0x20 == UInt8(ascii: "w") { count += 1 }
    }
    return count
  }
}
