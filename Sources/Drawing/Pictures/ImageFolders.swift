import CLinux
import Glibc

/// The files that may be read as images: those below some folders, and single files.
///
/// Scenes name files, and clients write scenes. Without this limit, a client could show any PNG or JPEG file that the
/// daemon can read, and learn from warnings which files exist.
package struct ImageFolders: Hashable, Sendable {
  /// The absolute paths of the folders, without `.` and `..`.
  private var folders: [String] = []
  /// The absolute paths of files that are allowed wherever they are.
  private var files: Set<String> = []

  /// Creates a set from absolute paths; other paths are ignored.
  ///
  /// - Parameters:
  ///   - folders: Folders whose files are allowed, at any depth.
  ///   - files: Files that are allowed wherever they are.
  package init(_ folders: some Sequence<String> = [], files: some Sequence<String> = []) {
    self.folders = folders.compactMap(ImageFolders.normal)
    self.files = Set(files.compactMap(ImageFolders.normal))
  }

  /// Allows one more folder.
  package mutating func allow(_ folder: String) {
    if let folder = ImageFolders.normal(folder), !folders.contains(folder) { folders.append(folder) }
  }

  /// Returns whether the path itself may be allowed, without accessing the file system.
  func mayAllow(_ path: String) -> Bool {
    ImageFolders.normal(path).map { files.contains($0) || folder(of: $0) != nil } ?? false
  }

  /// Opens a file for reading, without blocking on a pipe that has no writer.
  ///
  /// - Parameter path: The absolute path.
  /// - Throws: `ImageError.outside` for a path that is not allowed, whether or not it exists; `ImageError.file`
  ///   with the reason for one that is.
  /// - Returns: A descriptor, which the caller must close.
  func open(_ path: String) throws(ImageError) -> CInt {
    guard let normal = ImageFolders.normal(path) else { throw .outside(path) }
    if files.contains(normal) {
      let descriptor = unsafe Glibc.open(path, ImageFolders.flags)
      guard descriptor >= 0 else { throw .file(path, FileRevision.reason(errno)) }
      return descriptor
    }
    guard let folder = folder(of: normal) else { throw .outside(path) }
    let descriptor = ImageFolders.open(
      String(normal.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1)), in: folder)
    if descriptor >= 0 { return descriptor }
    switch errno {
    // A link that leads out of this folder may lead into another allowed one. Old kernels lack openat2.
    case EXDEV, ELOOP, ENOSYS, EPERM, EAGAIN: return try openByRealPath(path)
    default: throw .file(path, FileRevision.reason(errno))
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

  /// Resolves a path before opening it for reading, and throws the same error for absent and for disallowed files.
  private func openByRealPath(_ path: String) throws(ImageError) -> CInt {
    let place = unsafe Glibc.open(path, placard_o_path | O_CLOEXEC)
    guard place >= 0 else { throw .outside(path) }
    defer { close(place) }
    let link = "/proc/self/fd/\(place)"
    guard let real = ImageFolders.target(of: link),
      folders.contains(where: { folder in
        ImageFolders.real(folder).map { ImageFolders.holds($0, real) } ?? false
      })
    else { throw .outside(path) }
    let descriptor = unsafe Glibc.open(link, ImageFolders.flags)
    guard descriptor >= 0 else { throw .file(path, FileRevision.reason(errno)) }
    return descriptor
  }

  /// Returns the longest allowed folder that contains a path.
  private func folder(of path: String) -> String? {
    folders.filter { ImageFolders.holds($0, path) }.max { $0.utf8.count < $1.utf8.count }
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

  /// Returns an absolute path without `.`, `..`, and repeated slashes; nil for a relative path.
  private static func normal(_ path: String) -> String? {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
