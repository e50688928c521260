import CLinux
import Glibc

/// The files that may be read as pictures: those in some folders and below them, and single ones.
///
/// Scenes name files, and clients write scenes: without this bound a client could show any PNG or JPEG file that the
/// service may read, and learn from warnings which files exist.
public struct PictureFolders: Hashable, Sendable {
  /// Absolute paths of folders, without `.` and `..`.
  private var folders: [String] = []
  /// Absolute paths of files that are allowed wherever they are.
  private var files: Set<String> = []

  /// Folders and files by their absolute paths; other paths allow nothing.
  public init(_ folders: some Sequence<String> = [], files: some Sequence<String> = []) {
    self.folders = folders.compactMap(PictureFolders.normal)
    self.files = Set(files.compactMap(PictureFolders.normal))
  }

  /// Allows one more folder.
  public mutating func allow(_ folder: String) {
    if let folder = PictureFolders.normal(folder), !folders.contains(folder) { folders.append(folder) }
  }

  /// Whether a path names something that may be allowed, by its letters alone: nothing is looked up.
  func mayAllow(_ path: String) -> Bool {
    PictureFolders.normal(path).map { files.contains($0) || folder(of: $0) != nil } ?? false
  }

  /// Opens a file for reading. Does not wait for a writer of a pipe.
  ///
  /// - Returns: A descriptor, which the caller closes.
  /// - Throws: `PictureError.outside` for what is not allowed, whether it exists or not; `PictureError.file` with the
  ///   reason for what is.
  func open(_ path: String) throws(PictureError) -> CInt {
    guard let normal = PictureFolders.normal(path) else { throw .outside(path) }
    if files.contains(normal) {
      let descriptor = unsafe Glibc.open(path, PictureFolders.flags)
      guard descriptor >= 0 else { throw .file(path, PictureFile.reason(errno)) }
      return descriptor
    }
    guard let folder = folder(of: normal) else { throw .outside(path) }
    let descriptor = PictureFolders.open(
      String(normal.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1)), in: folder)
    if descriptor >= 0 { return descriptor }
    switch errno {
    // A link that leads out of this folder may lead into another one. Old kernels have no openat2.
    case EXDEV, ELOOP, ENOSYS, EPERM, EAGAIN: return try openByRealPath(path)
    default: throw .file(path, PictureFile.reason(errno))
    }
  }

  private static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

  private static func open(_ name: String, in folder: String) -> CInt {
    let place = unsafe Glibc.open(folder, placard_o_path | O_DIRECTORY | O_CLOEXEC)
    guard place >= 0 else { return -1 }
    let descriptor = unsafe placard_open_beneath(place, name, flags)
    let error = errno
    close(place)
    errno = error
    return descriptor
  }

  /// Finds out where a path leads before it opens that for reading. Reports the same for what does not exist and for what
  /// is elsewhere.
  private func openByRealPath(_ path: String) throws(PictureError) -> CInt {
    let place = unsafe Glibc.open(path, placard_o_path | O_CLOEXEC)
    guard place >= 0 else { throw .outside(path) }
    defer { close(place) }
    let link = "/proc/self/fd/\(place)"
    guard let real = PictureFolders.target(of: link),
      folders.contains(where: { folder in
        PictureFolders.real(folder).map { PictureFolders.holds($0, real) } ?? false
      })
    else { throw .outside(path) }
    let descriptor = unsafe Glibc.open(link, PictureFolders.flags)
    guard descriptor >= 0 else { throw .file(path, PictureFile.reason(errno)) }
    return descriptor
  }

  /// The longest allowed folder that a path is below.
  private func folder(of path: String) -> String? {
    folders.filter { PictureFolders.holds($0, path) }.max { $0.utf8.count < $1.utf8.count }
  }

  private static func holds(_ folder: String, _ path: String) -> Bool {
    path.hasPrefix(folder == "/" ? "/" : folder + "/")
  }

  private static func real(_ folder: String) -> String? {
    guard let text = unsafe realpath(folder, nil) else { return nil }
    defer { unsafe free(text) }
    return unsafe String(validatingCString: text)
  }

  private static func target(of link: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      return unsafe readlink(link, start.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return count > 0 ? String(validating: bytes.prefix(count), as: UTF8.self) : nil
  }

  /// An absolute path without `.`, `..` and doubled slashes; nil for any other path.
  private static func normal(_ path: String) -> String? {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
