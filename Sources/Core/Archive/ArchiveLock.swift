import Glibc
import SystemFiles

/// The exclusive lock of one daemon on an archive, held while it runs.
///
/// Without it, a second daemon would overwrite what the first one stores.
package final class ArchiveLock: Sendable {
  private let lock: FileLock

  /// Acquires the lock of the archive at a path: the file `NAME.lock` next to it, with symbolic links resolved.
  ///
  /// - Parameter path: The path of the archive.
  /// - Throws: `ArchiveError` of reason `.inUse` if another process holds the lock, or with the kernel's error if the
  ///   lock file cannot be created.
  init(of path: String) throws(ArchiveError) {
    let file = Self.resolved(path) + ".lock"
    do throws(FileLock.Failure) {
      lock = try FileLock(path: file)
    } catch {
      switch error {
      case .held(let process):
        let holder = process.map { "another service (process \($0))" } ?? "another service"
        throw ArchiveError(.inUse, "lock", on: path, "\(holder) stores its state there")
      case .system(_, ENOENT):
        throw ArchiveError(
          .folderMissing, "lock", on: path, "the folder \(ArchiveFile.folder(of: path)) does not exist")
      case .system(let operation, let code): throw ArchiveError(kernel: code, operation, on: file)
      }
    }
  }

  /// Acquires the lock at startup, without waiting for the disk.
  ///
  /// - Parameter path: The path of the archive; nil for an archive in memory.
  /// - Throws: `ArchiveError` of reason `.inUse` if another daemon has the archive.
  /// - Returns: The lock, or nil if the lock file cannot be created (the folder is missing, not writable, or full). The
  ///   archive then tries again when it opens its file.
  package static func acquire(_ path: String?) throws(ArchiveError) -> ArchiveLock? {
    guard let path else { return nil }
    do throws(ArchiveError) {
      return try ArchiveLock(of: path)
    } catch {
      if error.reason == .inUse { throw error }
      return nil
    }
  }

  /// Whether the lock is still effective: the folder may have been replaced, or a file system mounted there.
  var isInPlace: Bool { lock.isInPlace }

  /// Releases the archive for another daemon.
  func release() { lock.release() }

  /// Returns the path without symbolic links, so that all names of a file share one lock.
  private static func resolved(_ path: String) -> String {
    if let whole = realPath(path) { return whole }
    let folder = ArchiveFile.folder(of: path)
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    return realPath(folder).map { "\($0)/\(name)" } ?? path
  }

  private static func realPath(_ path: String) -> String? {
    guard let whole = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(whole) }
    return unsafe String(cString: whole)
  }
}
