import Access
import Glibc
import NIOCore

/// Who is at the other end of a connection, as the kernel tells.
enum Client: Hashable, Sendable {
  /// A process of this machine, over the Unix socket; nil where the kernel does not tell which.
  case local(LocalClient?)
  /// Somebody over TCP.
  case web(WebPeer)
}

extension Client: CustomStringConvertible {
  /// `192.0.2.7`, `user 1000`.
  var description: String {
    switch self {
    case .local(let client): client.map { "\($0)" } ?? "a client of the socket"
    case .web(let peer): "\(peer.address)"
    }
  }
}

/// A process that has opened the Unix socket: what it was when it did (unix(7), SO_PEERCRED).
struct LocalClient: Hashable, Sendable {
  /// Its process id.
  var process: Int32
  /// Whose it is.
  var user: UInt32
  /// Its first group.
  var group: UInt32

  /// The program's name as the kernel keeps it, at most 15 bytes; nil where the process has ended.
  func program() -> String? {
    let descriptor = unsafe open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}

extension LocalClient: CustomStringConvertible {
  /// `user 1000, process 4711`.
  var description: String { "user \(user), process \(process)" }
}

extension LocalClient {
  /// What the kernel tells of a channel's other end; the future is done at once on the channel's event loop.
  static func atTheEndOf(_ channel: any Channel) -> EventLoopFuture<LocalClient>? {
    guard let socket = channel as? any SocketOptionProvider else { return nil }
    return socket.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: CInt(SO_PEERCRED)))
  }
}

extension WebPeer {
  /// The ends of a channel; nil for one that is not over TCP.
  init?(_ channel: any Channel) {
    guard let address = channel.remoteAddress?.ipAddress.flatMap({ IPAddress(parsing: $0) }) else { return nil }
    self.init(address: address, own: channel.localAddress?.ipAddress.flatMap { IPAddress(parsing: $0) })
  }
}
