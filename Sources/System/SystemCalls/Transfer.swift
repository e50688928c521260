import Glibc

/// Complete reads and writes of file descriptors that block, repeated after EINTR.
///
/// On a nonblocking descriptor they fail with EAGAIN.
package enum Transfer {
  /// Writes all bytes to a descriptor.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to write.
  ///   - descriptor: The descriptor.
  /// - Throws: The error of the first call that fails. Part of the bytes may then be written.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(ErrorNumber) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ErrorNumber(errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads a descriptor to its end.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - limit: The maximum number of bytes.
  /// - Throws: The error of the first call that fails.
  /// - Returns: All bytes, or nil if there are more than `limit`.
  package static func read(_ descriptor: Int32, atMost limit: Int) throws(ErrorNumber) -> [UInt8]? {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = unsafe part.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ErrorNumber(errno) }
      if count == 0 { return bytes }
      bytes += part.prefix(count)
    }
    return nil
  }
}
