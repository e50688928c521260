import CLinux
import DBus
import Glibc

/// A nonblocking Unix stream socket to a bus.
///
/// The kernel delivers file descriptors together with the bytes that they were sent with (unix(7), SCM_RIGHTS).
struct BusSocket: ~Copyable {
  let descriptor: Int32

  /// The result of one recvmsg(2).
  enum Chunk {
    case bytes([UInt8], [Descriptor])
    case nothing
    case end
  }

  /// Connects to a bus at an address.
  init(_ address: DBusAddress) throws(BusSocketError) {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw BusSocketError(call: "socket", errno: errno) }
    // EAGAIN means a full accept queue. Connecting a Unix socket never returns EINPROGRESS.
    let code = unsafe address.withSocketAddress { unsafe connect(descriptor, $0, $1) == 0 ? 0 : errno }
    guard code == 0 else { throw BusSocketError(call: "connect", errno: code) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Sends all bytes.
  ///
  /// A bus that does not accept the few hundred bytes at once is treated as disconnected.
  func send(_ bytes: [UInt8]) throws(BusSocketError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent < 0, errno == EINTR { continue }
      guard sent >= 0 else { throw BusSocketError(call: "send", errno: errno) }
      rest = rest.dropFirst(sent)
    }
  }

  /// Receives the available bytes and descriptors, at most 4096 bytes.
  func receive() throws(BusSocketError) -> Chunk {
    // Room for struct cmsghdr and more descriptors than a bus allows per message (16). The kernel closes any excess.
    var control = [UInt64](repeating: 0, count: 32)
    var (filled, code) = (0, Int32(0))
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      var vector = unsafe iovec(iov_base: UnsafeMutableRawPointer(buffer.baseAddress), iov_len: buffer.count)
      let got = unsafe control.withUnsafeMutableBytes { control in
        unsafe withUnsafeMutablePointer(to: &vector) { vector in
          var message = unsafe msghdr()
          unsafe message.msg_iov = vector
          unsafe message.msg_iovlen = 1
          unsafe message.msg_control = control.baseAddress
          unsafe message.msg_controllen = control.count
          let got = unsafe recvmsg(descriptor, &message, Int32(MSG_CMSG_CLOEXEC))
          code = got < 0 ? errno : 0
          unsafe filled = got < 0 ? 0 : message.msg_controllen
          return got
        }
      }
      count = max(got, 0)
    }
    if code == EAGAIN || code == EINTR { return .nothing }
    guard code == 0 else { throw BusSocketError(call: "recvmsg", errno: code) }
    let descriptors = Self.descriptors(in: control, filled)
    return bytes.isEmpty ? .end : .bytes(bytes, descriptors)
  }

  /// Extracts the descriptors of SCM_RIGHTS messages (unix(7)).
  ///
  /// The CMSG macros are not imported into Swift, so this parses struct cmsghdr: the total length as one 64-bit word,
  /// level and type, then 32-bit descriptors, padded to whole words.
  private static func descriptors(in control: [UInt64], _ filled: Int) -> [Descriptor] {
    var found: [Descriptor] = []
    var place = 0
    while place + 2 <= control.count, (place + 2) * 8 <= filled, control[place] >= 16, control[place] <= 256 {
      let words = Int(control[place])
      if control[place + 1] == UInt64(SOL_SOCKET) | UInt64(SCM_RIGHTS) << 32 {
        for offset in stride(from: 16, to: words - 3, by: 4) {
          let index = place + offset / 8
          guard index < control.count else { break }
          found.append(Descriptor(Int32(truncatingIfNeeded: control[index] >> (offset % 8 == 0 ? 0 : 32))))
        }
      }
      place += (words + 7) / 8
    }
    return found
  }
}

extension DBusAddress {
  /// Calls `body` with the address as a `sockaddr_un`.
  ///
  /// Paths are NUL-terminated.
  fileprivate func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return ENAMETOOLONG }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    // The address length delimits an abstract name. A path ends with a NUL byte.
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count + (path.first == 0 ? 0 : 1))
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
    }
  }
}
