import CLinux
@testable import DBus
import Glibc

/// One end of a D-Bus connection, controlled by the test.
///
/// Every call blocks until it is done, and fails after a minute.
final class Wire {
  private let connection: Int32
  private var bytes: [UInt8] = []
  private var serial: UInt32 = 0

  struct Failure: Error { var what: String }

  /// Takes ownership of a descriptor.
  init(_ connection: Int32) throws {
    self.connection = connection
    guard connection >= 0 else { throw Failure(what: "no connection: \(errno)") }
  }

  deinit { close(connection) }

  /// Connects to a socket, or listens on it.
  static func socket(
    at path: String, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw Failure(what: "\(path): \(errno)") }
    return descriptor
  }

  /// Sends a message with the next serial, which it returns, and passes a descriptor, which it then closes.
  @discardableResult
  func send(_ message: DBusMessage, passing descriptor: Int32? = nil) throws -> UInt32 {
    serial += 1
    var message = message
    message.serial = serial
    message.descriptorCount = descriptor == nil ? 0 : 1
    let sent = send(message.bytes, passing: descriptor)
    guard sent == message.bytes.count else { throw Failure(what: "sendmsg: \(errno)") }
    if let descriptor { close(descriptor) }
    return serial
  }

  /// Calls sendmsg(2) with SCM_RIGHTS (unix(7)). The struct cmsghdr is built by hand: length 16 + 4, level, type, one
  /// int, padding.
  private func send(_ bytes: [UInt8], passing descriptor: Int32?) -> Int {
    var control: [UInt32] = descriptor.map { [20, 0, UInt32(SOL_SOCKET), 1, UInt32(bitPattern: $0), 0] } ?? []
    return unsafe bytes.withUnsafeBytes { payload in
      unsafe control.withUnsafeMutableBytes { rights in
        var vector = unsafe iovec(
          iov_base: UnsafeMutableRawPointer(mutating: payload.baseAddress), iov_len: payload.count)
        return unsafe withUnsafeMutablePointer(to: &vector) { vector in
          var message = unsafe msghdr()
          unsafe message.msg_iov = vector
          unsafe message.msg_iovlen = 1
          unsafe message.msg_control = rights.baseAddress
          unsafe message.msg_controllen = rights.count
          return unsafe sendmsg(connection, &message, Int32(MSG_NOSIGNAL))
        }
      }
    }
  }

  /// Sends a line of the handshake, or any other text.
  func send(_ text: String) throws {
    guard send(Array(text.utf8), passing: nil) == text.utf8.count else { throw Failure(what: "send: \(errno)") }
  }

  /// Returns the next line of the handshake.
  func line() throws -> String {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes.removeFirst(end + 1) }
        return String(decoding: bytes[..<end].filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
      }
      try read()
    }
  }

  /// Returns the next message.
  func message() throws -> DBusMessage {
    while true {
      if let length = try DBusMessage.length(at: bytes), bytes.count >= length {
        defer { bytes.removeFirst(length) }
        return try DBusMessage(Array(bytes[..<length]))
      }
      try read()
    }
  }

  private func read() throws {
    guard Lock.canRead(connection, within: 60_000) else { throw Failure(what: "nothing came in a minute") }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let got = unsafe Glibc.read(connection, &buffer, buffer.count)
    guard got > 0 else { throw Failure(what: "the other end hung up") }
    bytes += buffer.prefix(got)
  }
}
