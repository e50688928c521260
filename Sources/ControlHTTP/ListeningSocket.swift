import Glibc

/// A Unix socket that listens at a path, and the file's identity, so that only this very file is removed at the end.
struct ListeningSocket: Sendable {
  /// The descriptor; whoever takes it closes it.
  let descriptor: Int32
  /// Where it listens.
  let path: String
  private let claim: SocketClaim
  private let device: UInt
  private let inode: UInt

  /// Opens the socket at a claimed path.
  ///
  /// It listens only after it has its mode and group, so nobody gets in between. Every call here returns at once.
  init(_ claim: SocketClaim, group: String?) throws(ControlServerError) {
    let path = claim.path
    let descriptor = try Self.makeSocket(path)
    do throws(ControlServerError) {
      try Self.call("bind", path) { unsafe Self.withAddress(path) { unsafe bind(descriptor, $0, $1) } }
      (device, inode) = try Self.admitClients(descriptor, path, group)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.path = path
    self.claim = claim
  }

  /// Gives a bound socket its mode and group and lets it listen; where that fails, its file goes again.
  private static func admitClients(
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

  /// Removes the file, if it is still the one that this socket made, and gives up the claim.
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

  /// A socket that nobody listens on refuses the connection (unix(7), ECONNREFUSED): its service is dead.
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

  /// The default group is a convenience: where it does not exist or is not ours to give, the owner alone gets in.
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

  /// Callers have checked that the path fits (`checkLength`); `sun_path` keeps its closing zero.
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
