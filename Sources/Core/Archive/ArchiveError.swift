import CSQLite
import Glibc
import SystemCalls

/// A failure of the archive's file: the operation, the file, and the next step.
package struct ArchiveError: Error, Hashable, Sendable {
  /// The category of a failure, which determines how the archive responds.
  package enum Reason: Hashable, Sendable {
    /// The folder of the file does not exist.
    case folderMissing
    /// The file or its folder cannot be read or written by this user, or the file system is read-only.
    case denied
    /// The disk is full, or a quota or size limit is reached.
    case full
    /// Another process has locked the file.
    case busy
    /// Another daemon uses the file.
    case inUse
    /// The file is not an archive of Placard.
    case foreign
    /// The file was written by a newer version of Placard.
    case newer
    /// The file is corrupt and is set aside.
    case damaged
    /// Any other failure, described by the message.
    case other
  }

  /// The category of the failure.
  package var reason: Reason
  /// The path of the file.
  package var path: String
  /// The failed operation, such as `open` or `COMMIT`.
  package var operation: String
  /// The message of the kernel, of SQLite, or of the archive.
  package var message: String

  init(_ reason: Reason, _ operation: String, on path: String, _ message: String) {
    self.reason = reason
    self.path = path
    self.operation = operation
    self.message = message
  }

  /// Creates an error from the errno of a system call.
  init(kernel code: Int32, _ operation: String, on path: String) {
    self.init(Self.reason(kernel: code) ?? .other, operation, on: path, ErrorNumber(code).description)
  }

  /// Creates an error from SQLite's primary result code and errno, or 0 (https://sqlite.org/rescode.html).
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
    self.init(reason, operation, on: path, isKernel && errno != 0 ? "\(message) (\(ErrorNumber(errno)))" : message)
  }

  /// Returns whether a message reports a missing table or column.
  ///
  /// All statements match the schema version in the file's header, so a missing name means that the file is corrupt.
  ///
  /// - Parameter message: SQLite's message.
  /// - Returns: Whether the message has one of the known forms.
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
  /// A sentence such as `/var/lib/placard/archive.sqlite: COMMIT: database or disk is full; free some space there`.
  package var description: String { "\(path): \(operation): \(message); \(advice)" }

  private var advice: String {
    switch reason {
    case .folderMissing: "create that folder for the service's user, or configure another file"
    case .denied: "make the file and its folder writable for the service's user"
    case .full: "free some space there"
    case .busy: "stop the other program that has it open"
    case .inUse: "stop that service, or choose another file with --state"
    case .foreign: "move it away, or configure another file"
    case .newer: "install the newer version again, or configure another file"
    case .damaged: "check the kernel's log for errors of this disk"
    case .other: "check the kernel's log for errors of this disk"
    }
  }
}
