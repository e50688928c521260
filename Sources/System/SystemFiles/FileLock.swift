package import Glibc
import Synchronization

/// A lock that only one process can hold at a time (flock(2)), on a file that is used for nothing else.
///
/// The kernel releases it when the process ends for any reason. fcntl(2) locks are not suitable: closing any descriptor
/// of a file releases them, including those of SQLite (fcntl_locking(2)).
package final class FileLock: Sendable {
  /// The reason that a lock was not acquired.
  package enum Failure: Error, Hashable, Sendable {
    /// Another process holds the lock; its ID, or nil if /proc does not show it.
    case held(by: pid_t?)
    /// The file cannot be opened or locked.
    case system(operation: String, errno: Int32)
  }

  private let path: String
  private let identity: FileIdentity
  /// The locked descriptor; nil after the lock was released.
  private let descriptor: Mutex<Int32?>

  /// Acquires the lock without waiting.
  ///
  /// The file is created if it does not exist, accessible only to its owner.
  ///
  /// - Parameter path: The path of the lock file.
  /// - Throws: `Failure` if another process holds the lock, or if the file cannot be opened or locked.
  package init(path: String) throws(Failure) {
    self.path = path
    let (descriptor, identity) = try Self.lockedInPlace(path)
    self.identity = identity
    self.descriptor = Mutex(descriptor)
  }

  deinit { release() }

  /// True if the locked file is still at its path.
  ///
  /// Otherwise another process can lock the file that is there now.
  package var isInPlace: Bool { FileIdentity(path: path) == identity }

  /// Removes the file and releases the lock.
  ///
  /// If another file is at the path, that file is kept.
  package func release() {
    descriptor.withLock { descriptor in
      guard let open = descriptor else { return }
      if isInPlace { unsafe _ = unlink(path) }
      close(open)
      descriptor = nil
    }
  }

  /// Locks the file that is at the path at the time of the lock.
  ///
  /// A previous holder can remove the opened file before it is locked, and a third process would then lock a new one.
  /// The loop therefore compares the files and retries.
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

  /// Returns the process that holds a flock(2) lock on a file, or nil if the lines show none or several.
  ///
  /// The lines are those of /proc/locks (proc_locks(5)). Devices are not compared, because on some file systems stat(2)
  /// returns a different number than these lines.
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

/// The identity of a file, independent of its path.
package struct FileIdentity: Hashable, Sendable {
  /// The device of the file and its inode number there.
  let device: UInt, inode: UInt

  /// Reads the identity of the file at a path, after symbolic links, or returns nil if the file is not accessible.
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the identity of an open file, or returns nil if the descriptor is invalid.
  package init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
}
