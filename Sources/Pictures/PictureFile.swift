import Glibc

/// A file at a moment: another content comes with another time, size or inode.
struct PictureFile: Hashable {
  let path: String
  private let device: UInt64
  private let inode: UInt64
  private let byteCount: Int
  /// When its content and its inode changed, in nanoseconds.
  private let changed: [Int]

  /// More than a picture of the largest size takes uncompressed.
  private static let mostBytes = 512 << 20

  /// What is at a path now.
  init(_ path: String) throws(PictureError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .file(path, PictureFile.reason(errno)) }
    try self.init(path, status)
  }

  private init(_ path: String, _ status: stat) throws(PictureError) {
    guard status.st_mode & S_IFMT == S_IFREG else { throw .file(path, "it is no file; name a PNG or JPEG file") }
    guard status.st_size <= PictureFile.mostBytes else {
      throw .file(path, "it is larger than 512 MiB; save it smaller")
    }
    self.path = path
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    byteCount = Int(status.st_size)
    changed = [status.st_mtim, status.st_ctim].map { $0.tv_sec &* 1_000_000_000 &+ $0.tv_nsec }
  }

  /// Its bytes, unless another file took its place.
  func read() throws(PictureError) -> [UInt8] {
    // A pipe that took the file's place must not stop the thread.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .file(path, PictureFile.reason(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .file(path, PictureFile.reason(errno)) }
    guard try PictureFile(path, status) == self else {
      throw .file(path, "it changed since it was loaded; load it again")
    }
    var (error, done): (CInt, Int) = (0, 0)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      while done < byteCount, error == 0 {
        let read = unsafe Glibc.read(descriptor, buffer.baseAddress.map { unsafe $0 + done }, byteCount - done)
        if read == 0 { break }
        if read > 0 { done += read } else if errno != EINTR { error = errno }
      }
      count = done
    }
    guard error == 0 else { throw .file(path, PictureFile.reason(error)) }
    return bytes
  }

  /// Tells of an error with the file's path.
  func blamed<Result>(_ body: () throws(PictureError) -> Result) throws(PictureError) -> Result {
    do { return try body() } catch { throw .file(path, error.description) }
  }

  private static func reason(_ error: CInt) -> String {
    switch error {
    case ENOENT: "there is no such file"
    case EACCES: "the service may not read it; give its user the right to"
    default: unsafe String(cString: strerror(error))
    }
  }
}
