import Glibc

/// The service manager's end: a bound datagram socket.
final class NotifySocket {
  let descriptor: Int32
  /// The name as in NOTIFY_SOCKET.
  let name: String

  /// Binds a socket with this name: a path, or `@name` for an abstract one.
  init(_ name: String) throws {
    self.name = name
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path: [UInt8] = name.hasPrefix("@") ? [0] + name.utf8.dropFirst() : Array(name.utf8) + [0]
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    let bound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
    }
    guard bound == 0 else { throw BindError(name: name, code: errno) }
  }

  /// Returns the next datagram; nil if there is none.
  func receive() -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  deinit {
    close(descriptor)
    if name.hasPrefix("/") { unsafe unlink(name) }
  }
}

struct BindError: Error {
  var name: String
  var code: Int32
}
