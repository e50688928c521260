public import Glibc
import Synchronization

/// A lock that one process at a time can hold (flock(2)), on a file that exists for nothing else. The kernel releases it
/// when the process ends, however it ends.
///
/// It is not a lock of fcntl(2): closing any descriptor of a file releases those, SQLite's among them (fcntl_locking(2)).
public final class FileLock: Sendable {
  /// Why a lock was not acquired.
  public enum Failure: Error, Hashable, Sendable {
    /// Another process holds it; nil where /proc does not name that process.
    case held(by: pid_t?)
    /// The file cannot be opened or locked.
    case system(operation: String, errno: Int32)
  }

  private let path: String
  private let identity: FileIdentity
  /// Nil after the lock was released.
  private let descriptor: Mutex<Int32?>

  /// Acquires the lock at once, or throws. The file is made where it is missing, for its owner alone.
  ///
  /// - Parameter path: The lock's file.
  public init(path: String) throws(Failure) {
    self.path = path
    let (descriptor, identity) = try Self.lockedInPlace(path)
    self.identity = identity
    self.descriptor = Mutex(descriptor)
  }

  deinit { release() }

  /// Whether the locked file is still the one at its path. Otherwise another process can lock that one.
  public var isInPlace: Bool { FileIdentity(path: path) == identity }

  /// Removes the file and releases the lock.
  public func release() {
    descriptor.withLock { descriptor in
      guard let open = descriptor else { return }
      if isInPlace { unsafe _ = unlink(path) }
      close(open)
      descriptor = nil
    }
  }

  /// Locks the file that is at the path when it is locked: a former holder may remove the one that was opened first, and
  /// a third process would lock another one.
  private static func lockedInPlace(_ path: String) throws(Failure) -> (descriptor: Int32, FileIdentity) {
    while true {
      let descriptor = try locked(path)
      if let own = FileIdentity(descriptor: descriptor), own == FileIdentity(path: path) { return (descriptor, own) }
      close(descriptor)
    }
  }

  private static func locked(_ path: String) throws(Failure) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let descriptor = unsafe open(path, flags, 0o600)
    guard descriptor >= 0 else { throw .system(operation: "open", errno: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return descriptor }
    let code = errno
    let identity = FileIdentity(descriptor: descriptor)
    close(descriptor)
    guard code == EWOULDBLOCK else { throw .system(operation: "flock", errno: code) }
    throw .held(by: identity.flatMap { holder(of: $0, in: SystemFiles().text("/proc/locks") ?? "") })
  }

  /// The process that holds a lock of flock(2) on a file, by the lines of /proc/locks (proc_locks(5)); nil where none or
  /// several do. Devices are not compared: on some file systems, stat(2) returns another number than these lines have.
  static func holder(of file: FileIdentity, in locks: String) -> pid_t? {
    let holders = locks.split(separator: "\n").compactMap { line -> pid_t? in
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", words[5].split(separator: ":").last == "\(file.inode)" else {
        return nil
      }
      return pid_t(words[4]).flatMap { $0 > 0 ? $0 : nil }
    }
    return Set(holders).count == 1 ? holders[0] : nil
  }
}

/// Which file it is, whatever its path.
public struct FileIdentity: Hashable, Sendable {
  /// The device that the file is on, and its number there.
  let device: UInt, inode: UInt

  /// The file at a path, after symbolic links; nil where there is none, or it cannot be seen.
  public init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file of an open descriptor; nil for none.
  public init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
}
