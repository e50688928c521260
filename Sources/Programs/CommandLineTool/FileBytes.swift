import Glibc
import SystemCalls

/// Operations that read and write whole files.
enum FileBytes {
  /// The default maximum size of an input file in bytes.
  static let limit = 16 << 20

  /// The reason that an operation failed, as text.
  struct SystemError: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns all bytes of a file, or throws if there are more than `limit`.
  static func read(path: String, limit: Int = FileBytes.limit) throws(Failure) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(.refused, "\(path): \(ErrorNumber(errno)).") }
    defer { close(descriptor) }
    switch read(descriptor, limit: limit) {
    case .success(let bytes): return bytes
    case .failure(let error): throw Failure(.refused, "\(path): \(error).")
    }
  }

  /// Creates or truncates a file and writes all bytes to it.
  static func write(_ bytes: [UInt8], path: String) throws(Failure) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failure(.refused, "\(path): \(ErrorNumber(errno)).") }
    var failed: ErrorNumber?
    do throws(ErrorNumber) { try Transfer.write(bytes, to: descriptor) } catch { failed = error }
    if close(descriptor) != 0, failed == nil { failed = ErrorNumber(errno) }
    if let failed { throw Failure(.refused, "\(path): \(failed).") }
  }

  /// Waits for bytes of a descriptor and returns at most 64 KiB; none at its end.
  static func readSome(_ descriptor: Int32) -> Result<[UInt8], SystemError> {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe part.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 { return .failure(SystemError(description: "\(ErrorNumber(errno))")) }
      return .success(Array(part.prefix(count)))
    }
  }

  /// Reads a descriptor to its end; fails if there are more than `limit` bytes.
  static func read(_ descriptor: Int32, limit: Int = FileBytes.limit) -> Result<[UInt8], SystemError> {
    do throws(ErrorNumber) {
      if let bytes = try Transfer.read(descriptor, atMost: limit) { return .success(bytes) }
      return .failure(SystemError(description: "it has more than \(limit) bytes"))
    } catch {
      return .failure(SystemError(description: "\(error)"))
    }
  }
}
