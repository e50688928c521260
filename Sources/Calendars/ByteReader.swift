/// A sequential reader of bytes, which throws at the end of the data.
struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  func expect(_ count: Int) throws(ZoneFileError) {
    guard count >= 0, count <= rest.count else { throw .content("its end before \(count) more bytes") }
  }

  mutating func take(_ count: Int) throws(ZoneFileError) -> ArraySlice<UInt8> {
    try expect(count)
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func skip(_ count: Int) throws(ZoneFileError) { _ = try take(count) }

  /// Reads a signed big-endian integer of 4 or 8 bytes.
  mutating func integer(bytes count: Int) throws(ZoneFileError) -> Int64 {
    let value = try take(count).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : value
  }
}
