/// A text on its way to md4c, cut to what that reads in well under a second.
///
/// The time that md4c takes grows with the length of most texts. By measurement of 0.4.8 it grows with the square where
/// there are bare addresses, and empty lines in deep lists.
struct Source {
  /// A megabyte: some 500 pages.
  static let mostBytes = 1 << 20
  /// How far a line may be indented or quoted before its own text. A list's level takes two columns, a quote's one, so
  /// this bounds how deep md4c must look for each line; 512 with 1 MiB of empty lines takes 0.5 s.
  static let mostColumns = 512
  /// How many bytes times addresses are searched for addresses; as many take 0.15 s.
  private static let mostAddressSteps = 1 << 28

  /// UTF-8, which is whole and ends with a line end, and then `padding` more line ends, which are not to be read.
  ///
  /// md4c 0.4.8 looks at what stands behind a text that ends within a link: without these, at anything.
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
    // CommonMark 2.3; md4c leaves them in code.
    if bytes.contains(0) { bytes = bytes.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] } }
    cutIndented()
    let count = addresses
    if count.multipliedReportingOverflow(by: bytes.count).partialValue > Self.mostAddressSteps {
      hasAddresses = false
      warnings.append(.manyAddresses(count))
    }
    bytes += [UInt8](repeating: UInt8(ascii: "\n"), count: 1 + Self.padding)
  }

  /// Behind the last line that is whole, or of a single line, the last code point.
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

  /// How many columns of spaces and quote marks stand before a line's own text, among the marks of list items.
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

  /// How many bare addresses there may be: `://` and `w.`.
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
