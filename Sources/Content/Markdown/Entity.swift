/// A character reference: `&auml;`, `&#228;` or `&#xE4;`.
enum Entity {
  /// Returns the characters of a reference, or the reference unchanged if HTML does not define its name.
  static func text(of reference: String) -> String {
    let bytes = Array(reference.utf8)
    guard bytes.count > 2, bytes.first == UInt8(ascii: "&"), bytes.last == UInt8(ascii: ";") else { return reference }
    guard bytes[1] == UInt8(ascii: "#") else { return named(bytes[1..<(bytes.count - 1)]) ?? reference }
    let isHex = bytes[2] == UInt8(ascii: "x") || bytes[2] == UInt8(ascii: "X")
    let digits = bytes[(isHex ? 3 : 2)..<(bytes.count - 1)]
    return character(String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10)
  }

  /// Returns the character with a code point; CommonMark 2.5 requires U+FFFD for zero and for invalid code points.
  private static func character(_ digits: String, radix: Int) -> String {
    let scalar = UInt32(digits, radix: radix).flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    return String(Character(scalar ?? "\u{FFFD}"))
  }

  /// Returns the characters of a name, by a binary search over the bytes of the table, which needs no index in memory.
  private static func named(_ name: ArraySlice<UInt8>) -> String? {
    let table = unsafe UnsafeBufferPointer(start: names.utf8Start, count: names.utf8CodeUnitCount)
    let (space, equals) = (UInt8(ascii: " "), UInt8(ascii: "="))
    var (low, high) = (0, table.count)
    while low < high {
      let middle = (low &+ high) / 2
      // The entry that contains the middle, from after the preceding space to the next one.
      let start = unsafe table[low..<middle].lastIndex(of: space).map { $0 &+ 1 } ?? low
      let end = unsafe table[middle...].firstIndex(of: space) ?? table.count
      let parts = unsafe table[start..<end].split(separator: equals)
      guard unsafe parts.count == 2 else { return nil }
      if unsafe parts[0].elementsEqual(name) { return unsafe characters(parts[1]) }
      if unsafe parts[0].lexicographicallyPrecedes(name) { low = end &+ 1 } else { high = start }
    }
    return nil
  }

  private static func characters(_ points: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    unsafe points.split(separator: UInt8(ascii: "+")).map { point in
      unsafe character(String(decoding: point, as: UTF8.self), radix: 16)
    }.joined()
  }
}
