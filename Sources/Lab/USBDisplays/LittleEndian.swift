/// A reader of little-endian integers.
struct LittleEndianReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  init(_ bytes: [UInt8]) {
    self.init(bytes[...])
  }

  /// The bytes that have not been read yet.
  var remainder: ArraySlice<UInt8> { rest }

  /// Reads the next integer, or returns nil if too few bytes are left.
  mutating func next<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number? {
    let count = Number.bitWidth / 8
    guard rest.count >= count else { return nil }
    let number = rest.prefix(count).reversed().reduce(Number(0)) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    rest = rest.dropFirst(count)
    return number
  }
}

extension [UInt8] {
  mutating func append(littleEndian number: some FixedWidthInteger) {
    var number = number
    for _ in 0..<number.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: number))
      number >>= 8
    }
  }
}
