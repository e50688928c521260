import Glibc

/// The files of the tz database.
enum ZoneFile {
  /// No zone of 2026 has more than 4 KB.
  private static let mostBytes = 1 << 18

  /// A file's bytes, nil where there is no such file. It is read to the end, as it is replaced whole when zones change.
  static func bytes(at path: String) throws(ZoneError) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { return nil }
      throw .unreadable(path: path, errno: errno)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 8192)
    while bytes.count <= mostBytes {
      let count = unsafe read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path: path, errno: errno) }
      guard count > 0 else { return bytes }
      bytes += piece.prefix(count)
    }
    throw .broken(path: path, reason: .content("more than \(mostBytes) bytes"))
  }
}
