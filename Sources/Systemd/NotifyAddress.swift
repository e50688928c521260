import Glibc

/// The Unix datagram socket that NOTIFY_SOCKET names.
struct NotifyAddress: Hashable, Sendable {
  /// The bytes of `sun_path`; an abstract name begins with a NUL.
  let path: [UInt8]

  /// An absolute path, or `@name` in the abstract namespace (unix(7)); nil for anything else, vsock among it, and for
  /// what is longer than a socket's name can be.
  init?(_ text: String) {
    guard text.utf8.count > 1 else { return nil }
    switch text.utf8.first {
    case UInt8(ascii: "/"): path = Array(text.utf8) + [0]
    case UInt8(ascii: "@"): path = [0] + text.utf8.dropFirst()
    default: return nil
    }
    guard path.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
  }

  /// Sends one datagram; true when it was taken.
  func send(_ bytes: [UInt8]) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // The manager's queue may be full for a moment, but a lost READY=1 would end the service: wait a little.
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
