import CLinux
import Glibc

/// Reads /proc, /sys, /dev and /etc, where files are small and may vanish at any time: absent means empty.
public struct SystemFiles: Hashable, Sendable {
  /// What stands before every path: empty for this machine, a folder for a tree that looks like one.
  public let root: String

  /// This machine's files, or those below a folder.
  public init(root: String = "") { self.root = root }

  /// The names in a directory, without `.` and `..`; empty where it cannot be read.
  public func names(in path: String) -> [String] {
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

  /// The first bytes of a file, 64 KiB unless more or less are asked for; nil where it cannot be read.
  public func bytes(_ path: String, atMost limit: Int = 65536) -> [UInt8]? {
    // Without blocking: a FIFO in a file's place must hold nobody up.
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

  /// The first 64 KiB of a file as text; nil where it cannot be read.
  public func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

  /// The first line of a file, without its end; nil where it cannot be read.
  public func line(_ path: String) -> String? {
    text(path).map { String($0.prefix { $0 != "\n" }) }
  }

  /// Where a symbolic link points; nil where it cannot be read.
  public func link(_ path: String) -> String? {
    var target = [UInt8](repeating: 0, count: 4096)
    let count = unsafe target.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return -1 }
      return unsafe readlink(root + path, start.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 ? String(decoding: target.prefix(count), as: UTF8.self) : nil
  }

  /// Whose a file is and who may do what with it; nil where there is none, or it cannot be seen.
  public func facts(_ path: String) -> FileFacts? {
    var info = stat()
    guard unsafe stat(root + path, &info) == 0 else { return nil }
    return FileFacts(mode: info.st_mode, user: info.st_uid, group: info.st_gid, device: info.st_rdev)
  }

  /// Whether this process may read and write a file, with all that counts besides its mode: lists of access, mounts.
  public func isWritable(_ path: String) -> Bool {
    // In glibc's faccessat, AT_EACCESS asks for the effective user, as open does.
    unsafe faccessat(AT_FDCWD, root + path, R_OK | W_OK, AT_EACCESS) == 0
  }
}

/// Whose a file is.
public struct FileFacts: Hashable, Sendable {
  /// The mode with the kind of file, as stat(2) gives it.
  public var mode: UInt32
  /// The user and the group that it belongs to, by number.
  public var user, group: UInt32
  /// The device that a device node stands for; 0 for other files.
  public var device: UInt64

  /// Facts from their parts.
  public init(mode: UInt32, user: UInt32, group: UInt32, device: UInt = 0) {
    (self.mode, self.user, self.group, self.device) = (mode, user, group, UInt64(device))
  }

  /// Whether it is a socket.
  public var isSocket: Bool { mode & S_IFMT == S_IFSOCK }

  /// The permissions as people write them, `0660`.
  public var octal: String {
    let digits = String(mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Whether its mode lets an account read and write it (path_resolution(7)); root may always.
  public func isWritable(by account: Account) -> Bool {
    if account.user == 0 { return true }
    let bits = mode & 0o777
    if account.user == user { return bits >> 6 & 6 == 6 }
    if account.isIn(group) { return bits >> 3 & 6 == 6 }
    return bits & 6 == 6
  }

  /// The minor number of a device node.
  public var minor: UInt64 { device & 0xFF | device >> 12 & 0xFFF_FF00 }
}
