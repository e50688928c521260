import Access
import Glibc

/// A listening TCP socket.
enum WebListener {
  /// Opens a listening socket, without blocking.
  ///
  /// - Parameter listen: The address and port.
  /// - Throws: `.portInUse`, or `.web` if another system call failed.
  /// - Returns: The descriptor, owned by the caller.
  static func open(_ listen: ListenAddress) throws(ControlServerError) -> Int32 {
    let isIPv4 = listen.address.isIPv4
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(isIPv4 ? AF_INET : AF_INET6, Int32(type), 0)
    guard descriptor >= 0 else { throw failure("socket", listen) }
    // A restart must not wait for the previous process's connections in TIME_WAIT.
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    // The address may be assigned after the start, with a cable or a DHCP lease (ip(7), IP_FREEBIND).
    set(descriptor, Int32(IPPROTO_IP), IP_FREEBIND, 1)
    if !isIPv4 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, listen.address.isWildcard ? 0 : 1) }
    guard bind(descriptor, listen) == 0, Glibc.listen(descriptor, 128) == 0 else {
      let failure = failure("bind", listen)
      close(descriptor)
      throw failure
    }
    return descriptor
  }

  private static func failure(_ operation: String, _ listen: ListenAddress) -> ControlServerError {
    errno == EADDRINUSE ? .portInUse(listen) : .web(operation: operation, listen, errno: errno)
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
    var value = value
    _ = unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func bind(_ descriptor: Int32, _ listen: ListenAddress) -> Int32 {
    if listen.address.isIPv4 {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(listen.port).bigEndian
      unsafe withUnsafeMutableBytes(of: &address.sin_addr) { unsafe $0.copyBytes(from: listen.address.bytes.suffix(4)) }
      return bind(descriptor, address)
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = UInt16(listen.port).bigEndian
    unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0.copyBytes(from: listen.address.bytes) }
    return bind(descriptor, address)
  }

  private static func bind<Address>(_ descriptor: Int32, _ address: Address) -> Int32 {
    unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
        unsafe Glibc.bind(descriptor, rebound, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }
}
