import Access
import Glibc
import NIOCore
import SystemFiles

/// The peer of a connection, as identified by the kernel.
enum Client: Hashable, Sendable {
  /// A process on this machine, over the Unix socket; nil if the kernel does not identify it.
  case local(LocalClient?)
  /// A client or a proxy over TCP.
  case web(WebPeer)
}

extension Client: CustomStringConvertible {
  /// The peer as text, such as `192.0.2.7` or `user 1000, process 4711`.
  var description: String {
    switch self {
    case .local(let client): client.map { "\($0)" } ?? "a client of the socket"
    case .web(let peer): "\(peer.address)"
    }
  }
}

/// A process that connected to the Unix socket, with its credentials at that time (unix(7), SO_PEERCRED).
struct LocalClient: Hashable, Sendable {
  /// The process ID.
  var process: Int32
  /// The user ID.
  var user: UInt32
  /// The primary group ID.
  var group: UInt32

  /// Returns the program's name as the kernel stores it, at most 15 bytes, or nil if the process has ended.
  func program() -> String? { SystemFiles().line("/proc/\(process)/comm") }
}

extension LocalClient: CustomStringConvertible {
  /// The process as text, such as `user 1000, process 4711`.
  var description: String { "user \(user), process \(process)" }
}

extension LocalClient {
  /// Returns the credentials of a channel's peer; on the channel's event loop, the future completes at once.
  static func peer(_ channel: any Channel) -> EventLoopFuture<LocalClient>? {
    guard let socket = channel as? any SocketOptionProvider else { return nil }
    return socket.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: CInt(SO_PEERCRED)))
  }
}

extension WebPeer {
  /// Creates the ends of a channel; returns nil if it is not a TCP connection.
  init?(_ channel: any Channel) {
    guard let address = channel.remoteAddress?.ipAddress.flatMap({ IPAddress(parsing: $0) }) else { return nil }
    self.init(address: address, own: channel.localAddress?.ipAddress.flatMap { IPAddress(parsing: $0) })
  }
}
