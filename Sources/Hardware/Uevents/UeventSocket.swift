import CLinux
import Glibc
import SystemCalls

/// The error that the uevent socket cannot be opened.
package struct UeventSocketError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the failed call.
  package var call: String
  /// The kernel's errno.
  package var errno: Int32

  /// The message, such as `netlink uevent socket: bind: Operation not permitted`.
  package var description: String {
    "netlink uevent socket: \(call): \(ErrorNumber(errno))"
  }
}

/// The netlink socket that receives the kernel's uevents.
enum UeventSocket {
  /// The multicast group of the kernel; udev uses group 2.
  private static let kernelGroup: UInt32 = 1

  /// The receive buffer size, enough for some thousand messages, so that a dock with many devices does not overflow it.
  private static let bufferSize: Int32 = 1 << 20

  /// Opens and binds a socket, which queues events from now on.
  ///
  /// The caller owns the descriptor.
  ///
  /// read(2) does not report the sender, but this is not needed. Only processes with CAP_NET_ADMIN in this network
  /// namespace can send to this protocol (netlink_sendmsg(), no NL_CFG_F_NONROOT_SEND), and a forged event only causes
  /// a probe.
  static func open(bufferSize: Int32 = bufferSize) throws(UeventSocketError) -> Int32 {
    let type = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_NETLINK, type, NETLINK_KOBJECT_UEVENT)
    guard descriptor >= 0 else { throw UeventSocketError(call: "socket", errno: errno) }
    enlarge(descriptor, to: bufferSize)
    do {
      try bind(descriptor)
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Closes a descriptor.
  static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  /// Enlarges the receive buffer, beyond the system limit if permitted.
  ///
  /// Errors are ignored.
  private static func enlarge(_ descriptor: Int32, to size: Int32) {
    var size = size
    let length = socklen_t(MemoryLayout<Int32>.size)
    if unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, length) != 0 {
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, length)
    }
  }

  private static func bind(_ descriptor: Int32) throws(UeventSocketError) {
    var address = sockaddr_nl()
    address.nl_family = UInt16(AF_NETLINK)
    address.nl_groups = kernelGroup
    let length = socklen_t(MemoryLayout<sockaddr_nl>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe Glibc.bind(descriptor, $0, length) }
    }
    guard result == 0 else { throw UeventSocketError(call: "bind", errno: errno) }
  }
}
