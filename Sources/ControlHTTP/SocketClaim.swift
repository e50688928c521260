import Glibc
import SystemFiles

/// The right to listen at a path, which one service at a time has: a lock on the file `NAME.lock` beside the socket.
///
/// A service claims its path before it opens a card, and listens there when its first pictures are on screen. Without the
/// lock, a second service that starts meanwhile would find no listener.
public final class SocketClaim: Sendable {
  /// The socket's path.
  public let path: String
  private let lock: FileLock

  /// Claims a path: its directory is made if it is missing, and a dead service's socket is removed.
  ///
  /// - Parameter path: The socket's path.
  /// - Throws: `.inUse` where another service has claimed it, or answers there.
  public init(path: String) throws(ControlServerError) {
    try ListeningSocket.checkLength(of: path)
    try ListeningSocket.prepareDirectory(of: path)
    do throws(FileLock.Failure) {
      lock = try FileLock(path: path + ".lock")
    } catch {
      switch error {
      case .held(let process): throw ControlServerError.inUse(path: path, by: process)
      case .system(let operation, let code):
        throw ControlServerError.system(operation: operation, path: path + ".lock", errno: code)
      }
    }
    self.path = path
    try ListeningSocket.removeDeadSocket(path)
  }

  /// Lets another service have the path.
  func release() { lock.release() }
}
