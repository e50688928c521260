import Glibc

/// The names and addresses of this machine.
package enum Machine {
  /// Returns the host name in lowercase; nil if it is not set or not valid.
  package static func hostName() -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return Authority.name(text.lowercased()[...])
  }

  /// Returns the address at which other machines can most likely reach this one.
  ///
  /// It is the first address of an interface that is up, IPv4 before IPv6. Loopback and link-local addresses are
  /// skipped.
  ///
  /// - Returns: The address, or nil if there is none.
  package static func address() -> IPAddress? {
    let addresses = addresses().filter { !$0.isLoopback && !$0.isLinkLocal }
    return addresses.first(where: \.isIPv4) ?? addresses.first
  }

  /// Returns the lowest port that this process may bind.
  ///
  /// - Returns: Usually 1024, another number if the system sets one, or 0 if the process has CAP_NET_BIND_SERVICE or
  ///   its capabilities are unknown.
  package static func firstPort() -> Int {
    firstPort(status: text(of: "/proc/self/status"), setting: text(of: "/proc/sys/net/ipv4/ip_unprivileged_port_start"))
  }

  /// Returns the lowest port, derived from what the kernel reports about the process and the system.
  ///
  /// - Parameters:
  ///   - status: The content of /proc/self/status (proc_pid_status(5), CapEff); nil if it cannot be read.
  ///   - setting: The value of `ip_unprivileged_port_start` (ip-sysctl); nil if it cannot be read.
  /// - Returns: The port; 0 if the process may bind any port or its capabilities are unknown.
  static func firstPort(status: String?, setting: String?) -> Int {
    let line = status?.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let digits = line?.dropFirst("CapEff:".count).drop { $0 == "\t" || $0 == " " }
    // CAP_NET_BIND_SERVICE is bit 10 (linux/capability.h).
    guard let capabilities = digits.flatMap({ UInt64($0, radix: 16) }), capabilities & 1 << 10 == 0 else { return 0 }
    return setting.flatMap { Int($0.prefix { $0.isNumber }) } ?? 1024
  }

  private static func text(of path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Returns the addresses of the interfaces that are up, in the kernel's order.
  static func addresses() -> [IPAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&first) == 0 else { return [] }
    defer { unsafe freeifaddrs(first) }
    var addresses: [IPAddress] = []
    var next = unsafe first
    while let interface = unsafe next {
      if unsafe interface.pointee.ifa_flags & UInt32(IFF_UP) != 0,
        let address = unsafe interface.pointee.ifa_addr
      {
        unsafe addresses += [read(address)].compactMap(\.self)
      }
      unsafe next = interface.pointee.ifa_next
    }
    return addresses
  }

  private static func read(_ address: UnsafeMutablePointer<sockaddr>) -> IPAddress? {
    let raw = UnsafeRawPointer(address)
    switch Int32(unsafe address.pointee.sa_family) {
    case AF_INET:
      let part = unsafe raw.load(as: sockaddr_in.self).sin_addr
      return unsafe withUnsafeBytes(of: part) { unsafe IPAddress(v4: Array($0)) }
    case AF_INET6:
      let part = unsafe raw.load(as: sockaddr_in6.self).sin6_addr
      return unsafe withUnsafeBytes(of: part) { unsafe IPAddress(Array($0)) }
    default: return nil
    }
  }
}
