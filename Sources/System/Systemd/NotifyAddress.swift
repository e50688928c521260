import Glibc

/// The Unix datagram socket that NOTIFY_SOCKET names.
struct NotifyAddress: Hashable, Sendable {
  /// The bytes of `sun_path`.
  ///
  /// An abstract socket name begins with a NUL byte.
  let path: [UInt8]

  /// Parses an absolute path, or `@name` for a name in the abstract namespace (unix(7)).
  ///
  /// Fails for all other addresses, including vsock, and for names that do not fit into `sun_path`.
  init?(_ text: String) {
    guard text.utf8.count > 1 else { return nil }
    switch text.utf8.first {
    case UInt8(ascii: "/"): path = Array(text.utf8) + [0]
    case UInt8(ascii: "@"): path = [0] + text.utf8.dropFirst()
    default: return nil
    }
    guard path.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
  }

  /// Sends one datagram and returns whether the kernel accepted it.
  ///
  /// Waits at most 0.1 s for space in the queue.
  func send(_ bytes: [UInt8]) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // A full receive queue usually drains quickly, and a lost READY=1 fails the service's start, so wait briefly.
    var patience = timeval(tv_sec: 0, tv_usec: 100_000)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    return unsafe withSocketAddress { address, length in
      unsafe sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length) == bytes.count
    }
  }

  private func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
    }
  }
}
