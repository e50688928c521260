import Glibc

/// A listening Unix socket and the identity of its file, so that only this file is removed at the end.
struct ListeningSocket: Sendable {
  /// The file descriptor, which the event loop's channel takes over and closes.
  let descriptor: Int32
  /// The path of the socket.
  let path: String
  private let claim: SocketClaim
  private let device: UInt
  private let inode: UInt

  /// Opens the socket at a claimed path.
  ///
  /// It listens only after its mode and group are set, so that no client can connect before. None of the calls blocks.
  ///
  /// - Parameters:
  ///   - claim: The claim of the path.
  ///   - group: The group that may use the socket besides the owner; nil for the group `placard`, if possible.
  /// - Throws: `ControlServerError` if the socket cannot be opened or the group cannot be set.
  init(_ claim: SocketClaim, group: String?) throws(ControlServerError) {
    let path = claim.path
    let descriptor = try Self.makeSocket(path)
    do throws(ControlServerError) {
      try Self.call("bind", path) { unsafe Self.withAddress(path) { unsafe bind(descriptor, $0, $1) } }
      (device, inode) = try Self.startListening(descriptor, path, group)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.path = path
    self.claim = claim
  }

  /// Sets the mode and group of a bound socket and makes it listen; removes its file if that fails.
  private static func startListening(
    _ descriptor: Int32, _ path: String, _ group: String?
  ) throws(ControlServerError) -> (device: UInt, inode: UInt) {
    do throws(ControlServerError) {
      try call("chmod", path) { unsafe chmod(path, 0o660) }
      try giveToGroup(path, group)
      try call("listen", path) { listen(descriptor, 128) }
      let status = try status(path)
      return (status.st_dev, status.st_ino)
    } catch {
      unsafe unlink(path)
      throw error
    }
  }

  /// Removes the file if it is still the one that this socket created, and releases the claim.
  func removeFile() {
    defer { claim.release() }
    guard let status = try? Self.status(path), status.st_dev == device, status.st_ino == inode else { return }
    unsafe unlink(path)
  }

  static func prepareDirectory(of path: String) throws(ControlServerError) {
    let parent = directory(of: path)
    let made = unsafe mkdir(parent, parent.hasPrefix("/tmp/") ? 0o700 : 0o755) == 0
    if !made && errno != EEXIST { throw .system(operation: "mkdir", path: parent, errno: errno) }
    let owner = try status(parent).st_uid
    guard owner == 0 || owner == geteuid() else { throw .foreignDirectory(path: parent, owner: owner) }
  }

  private static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Removes the socket of a daemon that has ended.
  ///
  /// A socket without a listener refuses connections (unix(7), ECONNREFUSED).
  ///
  /// - Parameter path: The path of the socket.
  /// - Throws: `.notASocket` for another type of file, or `.inUse` if a process listens on the socket.
  static func removeDeadSocket(_ path: String) throws(ControlServerError) {
    guard let status = try? status(path) else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
    let probe = try makeSocket(path)
    defer { close(probe) }
    let answer = unsafe withAddress(path) { unsafe connect(probe, $0, $1) }
    guard answer != 0 && errno == ECONNREFUSED else { throw .inUse(path: path, by: nil) }
    try call("unlink", path) { unsafe unlink(path) }
  }

  static func checkLength(of path: String) throws(ControlServerError) {
    guard path.utf8.count <= 107, !path.utf8.contains(0) else { throw .pathTooLong(path: path) }
  }

  private static func makeSocket(_ path: String) throws(ControlServerError) -> Int32 {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    try checkLength(of: path)
    let descriptor = socket(AF_UNIX, Int32(type), 0)
    guard descriptor >= 0 else { throw .system(operation: "socket", path: path, errno: errno) }
    return descriptor
  }

  /// Sets the group of the socket.
  ///
  /// The default group is optional: if it does not exist or cannot be set, only the owner can connect.
  ///
  /// - Parameters:
  ///   - path: The path of the socket.
  ///   - group: The name of the group; nil for the group `placard`.
  /// - Throws: `ControlServerError` if a named group does not exist or cannot be set.
  private static func giveToGroup(_ path: String, _ group: String?) throws(ControlServerError) {
    guard let entry = unsafe getgrnam(group ?? "placard") else {
      guard let group else { return }
      throw .noGroup(name: group)
    }
    let answer = unsafe chown(path, uid_t.max, entry.pointee.gr_gid)
    if answer != 0, let group { throw .system(operation: "chown to group \(group)", path: path, errno: errno) }
  }

  private static func status(_ path: String) throws(ControlServerError) -> stat {
    var status = stat()
    let answer = unsafe lstat(path, &status)
    guard answer == 0 else { throw .system(operation: "lstat", path: path, errno: errno) }
    return status
  }

  private static func call(_ operation: String, _ path: String, _ body: () -> Int32) throws(ControlServerError) {
    guard body() == 0 else { throw .system(operation: operation, path: path, errno: errno) }
  }

  /// Calls a function with the address of a path.
  ///
  /// Callers have checked that the path fits (`checkLength`), so that `sun_path` keeps its terminating zero.
  ///
  /// - Parameters:
  ///   - path: The path of a socket.
  ///   - body: Receives the address, which is valid only during the call, and its size in bytes.
  /// - Returns: The result of `body`.
  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
      unsafe field.dropLast().copyBytes(from: path.utf8.prefix(field.count - 1))
    }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
        unsafe body(rebound, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
