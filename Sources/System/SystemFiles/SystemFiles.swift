import CLinux
import Glibc

/// A reader of small files in /proc, /sys, /dev and /etc.
///
/// They can vanish at any time, so a missing file is not an error.
package struct SystemFiles: Hashable, Sendable {
  /// The prefix of every path: empty for this machine, or a directory with the same structure.
  package let root: String

  /// Creates a reader of this machine's files, or of those below a directory.
  package init(root: String = "") { self.root = root }

  /// Returns the names in a directory without `.` and `..`, or an empty array if it cannot be read.
  package func names(in path: String) -> [String] {
    guard let directory = unsafe opendir(root + path) else { return [] }
    defer { unsafe _ = closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      var characters = unsafe entry.pointee.d_name
      let name = unsafe withUnsafeBytes(of: &characters) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Returns the start of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum number of bytes.
  /// - Returns: The bytes; nil if the file cannot be read.
  package func bytes(_ path: String, atMost limit: Int = 65536) -> [UInt8]? {
    // Open with O_NONBLOCK, because a FIFO in the file's place would otherwise block.
    let descriptor = unsafe open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count < limit {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, bytes.isEmpty { return nil }
      guard count > 0 else { break }
      bytes.append(contentsOf: chunk.prefix(min(count, limit - bytes.count)))
    }
    return bytes
  }

  /// Returns the first 64 KiB of a file as text, or nil if it cannot be read.
  package func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

  /// Returns the first line of a file without its line feed, or nil if it cannot be read.
  package func line(_ path: String) -> String? {
    // By bytes, because a carriage return and a line feed are one character.
    bytes(path).map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
  }

  /// Returns the target of a symbolic link, or nil if it cannot be read.
  package func link(_ path: String) -> String? {
    var target = [UInt8](repeating: 0, count: 4096)
    let count = unsafe target.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return -1 }
      return unsafe readlink(root + path, start.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 ? String(decoding: target.prefix(count), as: UTF8.self) : nil
  }

  /// Returns the owner and the mode of a file, after symbolic links, or nil if it is not accessible.
  package func facts(_ path: String) -> FileFacts? {
    var info = stat()
    guard unsafe stat(root + path, &info) == 0 else { return nil }
    return FileFacts(mode: info.st_mode, user: info.st_uid, group: info.st_gid, device: info.st_rdev)
  }

  /// Returns true if this process can read and write a file, including the effects of ACLs and mount options.
  package func isWritable(_ path: String) -> Bool {
    // In glibc's faccessat, AT_EACCESS checks the effective user, as open does.
    unsafe faccessat(AT_FDCWD, root + path, R_OK | W_OK, AT_EACCESS) == 0
  }
}

/// The owner and the mode of a file.
package struct FileFacts: Hashable, Sendable {
  /// The mode including the file type, as in stat(2).
  package var mode: UInt32
  /// The user ID and the group ID of the owner.
  package var user, group: UInt32
  /// The device number of a device node; 0 for other files.
  package var device: UInt64

  /// Creates the facts of a file.
  package init(mode: UInt32, user: UInt32, group: UInt32, device: UInt = 0) {
    (self.mode, self.user, self.group, self.device) = (mode, user, group, UInt64(device))
  }

  /// True if the file is a socket.
  package var isSocket: Bool { mode & S_IFMT == S_IFSOCK }

  /// The permissions in octal notation, such as `0660`.
  package var octal: String {
    let digits = String(mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Returns whether the mode allows an account to read and write the file (path_resolution(7)).
  ///
  /// - Parameter account: The account. Access is always granted to root.
  /// - Returns: True if the account has read and write permission.
  package func isWritable(by account: Account) -> Bool {
    if account.user == 0 { return true }
    let bits = mode & 0o777
    if account.user == user { return bits >> 6 & 6 == 6 }
    if account.isIn(group) { return bits >> 3 & 6 == 6 }
    return bits & 6 == 6
  }

  /// The minor number of a device node.
  package var minor: UInt64 { device & 0xFF | device >> 12 & 0xFFF_FF00 }
}
