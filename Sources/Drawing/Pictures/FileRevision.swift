import CLinux
import Glibc
import SystemCalls

/// The identity of a file's content: other content has another time, size, or inode.
struct FileRevision: Hashable, Sendable {
  let path: String
  let byteCount: Int
  private let device: UInt64
  private let inode: UInt64
  /// The modification time and the status change time, in nanoseconds.
  private let changed: [Int]

  /// The time of the last change of the content, in seconds since 1970.
  var modified: Int64 { Int64(changed[0]) / 1_000_000_000 }

  /// The file size limit, because the whole file is in memory while it is decoded.
  private static let mostBytes = 64 << 20

  /// Reads the identity of the file behind an open descriptor.
  init(_ path: String, _ descriptor: CInt) throws(ImageError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .file(path, FileRevision.reason(errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .file(path, "it is not a regular file; choose a PNG or JPEG file")
    }
    guard status.st_size <= FileRevision.mostBytes else {
      throw .file(path, "it is larger than 64 MiB; save it smaller")
    }
    self.path = path
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    byteCount = Int(status.st_size)
    changed = [status.st_mtim, status.st_ctim].map { $0.tv_sec &* 1_000_000_000 &+ $0.tv_nsec }
  }

  /// Reads the file's first bytes, at most `most`.
  func read(_ descriptor: CInt, most: Int = .max) throws(ImageError) -> [UInt8] {
    let wanted = min(byteCount, most)
    var (error, done): (CInt, Int) = (0, 0)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      while done < wanted, error == 0 {
        let read = unsafe pread(descriptor, buffer.baseAddress.map { unsafe $0 + done }, wanted - done, done)
        if read == 0 { break }
        if read > 0 { done += read } else if errno != EINTR { error = errno }
      }
      count = done
    }
    guard error == 0 else { throw .file(path, FileRevision.reason(error)) }
    return bytes
  }

  static func reason(_ error: CInt) -> String {
    switch error {
    case ENOENT: "the file does not exist"
    case EACCES: "the service may not read it; grant its user read access"
    default: ErrorNumber(error).description
    }
  }
}
