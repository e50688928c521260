import Glibc

/// Access to the files of the tz database.
enum ZoneFile {
  /// An upper limit: no zone of the 2026 database is larger than 4 KB.
  private static let mostBytes = 1 << 18

  /// Returns the contents of a file; nil if it does not exist.
  ///
  /// Updates of the tz database replace files as a whole, so that reading to the end yields one version.
  ///
  /// - Parameter path: The absolute path of the file.
  /// - Throws: `ZoneError.unreadable`, or `ZoneError.broken` if the file is too large.
  /// - Returns: The contents of the file.
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
