import CSQLite
import Glibc

/// Why the archive's file did not do what it was asked: what was tried, on which file, and the next step.
public struct ArchiveError: Error, Hashable, Sendable {
  /// What sort of failure it is, which decides what is done next.
  public enum Reason: Hashable, Sendable {
    /// The folder of the file is not there.
    case folderMissing
    /// The file or its folder cannot be read or written by this user, or the disk is read-only.
    case denied
    /// No space is left, or a quota or limit is reached.
    case full
    /// Another process holds the file.
    case busy
    /// Another service keeps its state in the file.
    case inUse
    /// There is something in its place that is not an archive of Placard.
    case foreign
    /// A newer version of Placard wrote it.
    case newer
    /// Its bytes make no sense: it is set aside.
    case damaged
    /// Anything else; the message says what.
    case other
  }

  /// What sort of failure it is.
  public var reason: Reason
  /// The file.
  public var path: String
  /// What was tried, `open`, `COMMIT`.
  public var operation: String
  /// The kernel's, SQLite's or our own words.
  public var message: String

  init(_ reason: Reason, _ operation: String, on path: String, _ message: String) {
    self.reason = reason
    self.path = path
    self.operation = operation
    self.message = message
  }

  /// The kernel's answer to a call.
  init(kernel code: Int32, _ operation: String, on path: String) {
    self.init(Self.reason(kernel: code) ?? .other, operation, on: path, words(errno: code))
  }

  /// SQLite's answer: its primary result code, and the kernel's errno behind it, or 0 (https://sqlite.org/rescode.html).
  init(sqlite code: Int32, errno: Int32, _ operation: String, on path: String, words message: String) {
    let isKernel = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_FULL, SQLITE_PERM].contains(code)
    let known = isKernel ? Self.reason(kernel: errno) : nil
    let reason: Reason =
      switch code {
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      case SQLITE_ERROR where Self.missesName(message): .damaged
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
      case SQLITE_FULL: .full
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN: known ?? .denied
      default: known ?? .other
      }
    self.init(reason, operation, on: path, isKernel && errno != 0 ? "\(message) (\(words(errno: errno)))" : message)
  }

  /// What is said of tables and columns that are not there. All statements are ours, for the version that the file says it has:
  /// a byte was turned in a name.
  private static func missesName(_ message: String) -> Bool {
    let words = message.split(separator: " ")
    return words.starts(with: ["no", "such", "table:"]) || words.starts(with: ["no", "such", "column:"])
      || words.dropFirst(2).starts(with: ["has", "no", "column", "named"])
  }

  private static func reason(kernel code: Int32) -> Reason? {
    switch code {
    case EACCES, EPERM, EROFS: .denied
    case ENOSPC, EDQUOT, EFBIG: .full
    default: nil
    }
  }
}

extension ArchiveError: CustomStringConvertible {
  /// `/var/lib/placard/archive.sqlite: COMMIT: database or disk is full; free some space there`.
  public var description: String { "\(path): \(operation): \(message); \(advice)" }

  private var advice: String {
    switch reason {
    case .folderMissing: "create that folder for the service's user, or name another file"
    case .denied: "make the file and its folder writable for the service's user"
    case .full: "free some space there"
    case .busy: "end the other program that has it open"
    case .inUse: "stop that service, or give this one another file with --state"
    case .foreign: "move it away, or name another file"
    case .newer: "install the newer version again, or name another file"
    case .damaged: "look for errors of this disk in the kernel's log"
    case .other: "look for errors of this disk in the kernel's log"
    }
  }
}

/// The C library's words for an errno.
private func words(errno code: Int32) -> String {
  guard let words = unsafe strerror(code) else { return "errno \(code)" }
  return unsafe String(cString: words)
}
