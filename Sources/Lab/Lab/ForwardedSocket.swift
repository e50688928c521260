import CLinux
import Glibc

/// A Unix socket on the host whose connections end at a socket of the guest.
///
/// It is closed with its last reference, and established connections continue.
public final class ForwardedSocket: Sendable {
  /// The path of the socket on the host.
  public let path: String
  private let listener: Descriptor

  fileprivate init(path: String, target: String, channel: GuestChannel) throws(LabError) {
    self.path = path
    listener = try UnixSocket.listen(at: path)
    let socket = listener
    try startThread("lab-forward") {
      while true {
        let number = accept(socket.number, nil, nil)
        guard number >= 0 || errno == EINTR || errno == ECONNABORTED else { return }
        guard number >= 0 else { continue }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        // If the guest's end is lost, the client sees a closed connection.
        try? forward(Descriptor(number, isSocket: true), to: target, channel)
      }
    }
  }

  deinit {
    // This ends accept(2) of the thread, which holds the descriptor.
    shutdown(listener.number, Int32(SHUT_RDWR))
    Files.remove(path)
  }
}

/// Relays both directions of a connection. The end of one direction leaves the other one open.
private func forward(_ client: Descriptor, to target: String, _ channel: GuestChannel) throws(LabError) {
  let remote = try channel.start(.connect, Array(target.utf8), name: "connect to \(target)")
  let forever = Duration.seconds(86400)
  try startThread("lab-forward-in") {
    while case .bytes(let bytes) = client.read() {
      do throws(LabError) { try remote.write(bytes) } catch { break }
    }
    try? remote.closeInput()
  }
  try startThread("lab-forward-out") {
    while let chunk = remote.nextChunk(within: forever) {
      do throws(LabError) {
        try client.writeAll(chunk.output, until: Deadline(in: forever), to: "the client")
      } catch { break }
    }
    // The connection is closed in the guest, or the client does not read any more.
    shutdown(client.number, Int32(SHUT_RDWR))
    try? remote.kill(SIGTERM)
  }
}

extension Lab {
  /// Makes a Unix stream socket of the guest available on the host.
  ///
  /// Each connection on the host becomes a new connection in the guest, so the guest's program may be restarted. A client
  /// may close its direction and read on. If no program listens in the guest, connections are closed at once.
  ///
  /// - Parameter path: The path of the socket in the guest.
  /// - Throws: `LabError` if the socket cannot be created on the host.
  /// - Returns: The socket on the host.
  public func forwardSocket(_ path: String) throws(LabError) -> ForwardedSocket {
    let number = try directory.nextNumber(of: "forwards")
    return try ForwardedSocket(path: "\(directory.path)/forward\(number)", target: path, channel: try programChannel())
  }
}
