import CZlib

/// A compressor for the format that browsers accept as `gzip` (RFC 1952).
enum Gzip {
  /// Compresses bytes reproducibly: the header contains no name and no time.
  ///
  /// - Parameter bytes: The bytes to compress.
  /// - Returns: The compressed bytes, or nil if zlib fails, which it does only if it cannot allocate memory.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = unsafe z_stream()
    guard unsafe placard_gzip_init(&stream) == Z_OK else { return nil }
    defer { unsafe _ = deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(bytes.count))))
    let result = unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        unsafe stream.next_in = source.baseAddress
        unsafe stream.avail_in = UInt32(source.count)
        unsafe stream.next_out = target.baseAddress
        unsafe stream.avail_out = UInt32(target.count)
        return unsafe deflate(&stream, Z_FINISH)
      }
    }
    guard result == Z_STREAM_END else { return nil }
    return Array(output.prefix(Int(unsafe stream.total_out)))
  }
}
