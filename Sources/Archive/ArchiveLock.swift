import Glibc
import SystemFiles

/// The right of one service to an archive's file, held from its start to its end. A second service would overwrite what
/// the first one stores.
public final class ArchiveLock: Sendable {
  private let lock: FileLock

  /// Acquires the lock of the archive at a path: the file `NAME.lock` beside the archive, where its symbolic links lead.
  ///
  /// - Throws: `.inUse` where another process holds it; what the kernel says where the lock's file cannot be made.
  init(of path: String) throws(ArchiveError) {
    let file = Self.resolved(path) + ".lock"
    do throws(FileLock.Failure) {
      lock = try FileLock(path: file)
    } catch {
      switch error {
      case .held(let process):
        let holder = process.map { "another service (process \($0))" } ?? "another service"
        throw ArchiveError(.inUse, "lock", on: path, "\(holder) keeps its state there")
      case .system(_, ENOENT):
        throw ArchiveError(.folderMissing, "lock", on: path, "there is no folder \(ArchiveFile.folder(of: path))")
      case .system(let operation, let code): throw ArchiveError(kernel: code, operation, on: file)
      }
    }
  }

  /// Acquires the lock before anything else is done, without a write to the disk.
  ///
  /// - Parameter path: The archive's file; nil for an archive in memory.
  /// - Returns: The lock; nil where the folder is missing, cannot be written, or is full: the archive tries again when it
  ///   opens its file.
  /// - Throws: `ArchiveError` of reason `.inUse` where another service has the archive.
  public static func acquire(_ path: String?) throws(ArchiveError) -> ArchiveLock? {
    guard let path else { return nil }
    do throws(ArchiveError) {
      return try ArchiveLock(of: path)
    } catch {
      if error.reason == .inUse { throw error }
      return nil
    }
  }

  /// Whether it still keeps other services out: the folder may have been replaced, or a disk mounted there.
  var isInPlace: Bool { lock.isInPlace }

  /// Lets another service have the archive.
  func release() { lock.release() }

  /// The path without symbolic links, so that each of a file's names has the same lock.
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
