import Glibc
import SystemCalls

/// The reason why a measurement failed.
struct BenchError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Complete reads and writes of file descriptors and files.
enum Stream {
  /// Reads exactly `count` bytes, or returns nil if the stream ends first.
  static func read(_ count: Int, from descriptor: Int32) throws -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let more = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled)
      }
      if more < 0, errno == EINTR { continue }
      if more < 0 { throw BenchError("a pipe cannot be read: \(ErrorNumber(errno))") }
      if more == 0 { return nil }
      filled += more
    }
    return bytes
  }

  /// Reads up to the end of the line or of the stream.
  static func readLine(from descriptor: Int32) throws -> String {
    var bytes: [UInt8] = []
    while let byte = try read(1, from: descriptor)?.first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    do throws(ErrorNumber) {
      try Transfer.write(bytes, to: descriptor)
    } catch {
      throw BenchError("a pipe or file cannot be written: \(error)")
    }
  }

  static func save(_ bytes: [UInt8], as path: String) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw BenchError("\(path) cannot be written: \(ErrorNumber(errno))") }
    defer { close(descriptor) }
    try write(bytes, to: descriptor)
  }

  /// Returns the text of a small file, or an empty string if it cannot be read.
  static func text(of path: String) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var text: [UInt8] = []
    while let byte = (try? read(1, from: descriptor))?.first { text.append(byte) }
    return String(decoding: text, as: UTF8.self)
  }
}
