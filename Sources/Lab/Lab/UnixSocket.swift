import CLinux
import Glibc

/// Unix stream sockets in the lab's directory.
enum UnixSocket {
  /// Creates a listening socket at `path`.
  ///
  /// QEMU inherits its sockets, which exist before it starts, so clients never have to wait for the file.
  static func listen(at path: String) throws(LabError) -> Descriptor {
    let socket = try make()
    Files.remove(path)
    let code = try unsafe withAddress(path) { address, length in unsafe bind(socket.number, address, length) }
    guard code == 0, Glibc.listen(socket.number, 8) == 0 else { throw LabError.system("listen on \(path)") }
    return socket
  }

  static func connect(to path: String) throws(LabError) -> Descriptor {
    let socket = try make()
    let code = try unsafe withAddress(path) { address, length in unsafe Glibc.connect(socket.number, address, length) }
    guard code == 0 else { throw LabError.system("connect to \(path)") }
    return socket
  }

  /// Returns the two ends of a new connection.
  static func pair() throws(LabError) -> (Descriptor, Descriptor) {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw LabError.system("create a socket pair") }
    return (Descriptor(ends[0], isSocket: true), Descriptor(ends[1], isSocket: true))
  }

  /// Sends bytes and passes a descriptor with the first one (SCM_RIGHTS, unix(7)).
  static func send(_ bytes: [UInt8], passing descriptor: Int32, over socket: Descriptor) throws(LabError) {
    // struct cmsghdr by hand, because the CMSG macros are not imported: length 16 + 4, level, type, one int, padding.
    var control: [UInt32] = [20, 0, UInt32(SOL_SOCKET), 1, UInt32(bitPattern: descriptor), 0]
    let sent = unsafe bytes.withUnsafeBytes { payload in
      unsafe control.withUnsafeMutableBytes { rights in
        var vector = unsafe iovec(
          iov_base: UnsafeMutableRawPointer(mutating: payload.baseAddress), iov_len: payload.count)
        return unsafe withUnsafeMutablePointer(to: &vector) { vector in
          var message = unsafe msghdr()
          unsafe message.msg_iov = vector
          unsafe message.msg_iovlen = 1
          unsafe message.msg_control = rights.baseAddress
          unsafe message.msg_controllen = rights.count
          return unsafe sendmsg(socket.number, &message, Int32(MSG_NOSIGNAL))
        }
      }
    }
    guard sent == bytes.count else { throw LabError.system("pass a descriptor to QEMU") }
  }

  private static func make() throws(LabError) -> Descriptor {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw LabError.system("create a Unix socket") }
    return Descriptor(number, isSocket: true)
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(LabError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw LabError(.invalid, "\(path) is too long for a Unix socket: choose a shorter name or directory")
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
