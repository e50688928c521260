/// A sequential reader of bytes, which throws at the end of the data.
struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  func expect(_ count: Int) throws(ZoneFileError) {
    guard count >= 0, count <= rest.count else { throw .content("\(rest.count) bytes left where \(count) are needed") }
  }

  mutating func read(_ count: Int) throws(ZoneFileError) -> ArraySlice<UInt8> {
    try expect(count)
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func skip(_ count: Int) throws(ZoneFileError) { _ = try read(count) }

  /// Reads a signed big-endian integer of 4 or 8 bytes.
  mutating func integer(bytes count: Int) throws(ZoneFileError) -> Int64 {
    let value = try read(count).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : value
  }
}
