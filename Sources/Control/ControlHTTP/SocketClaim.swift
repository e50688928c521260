import Glibc
import SystemFiles

/// The exclusive right to listen at a path: a lock on the file `NAME.lock` next to the socket.
///
/// A daemon claims its path before it opens a card, and listens there after its first frames are on screen. Without the
/// lock, a second daemon that starts in between would find no listener.
package final class SocketClaim: Sendable {
  /// The path of the socket.
  package let path: String
  private let lock: FileLock

  /// Claims a path, creates its directory if it is missing, and removes the socket of a daemon that has ended.
  ///
  /// - Parameter path: The path of the socket.
  /// - Throws: `.inUse` if another daemon has claimed the path or answers there, or another `ControlServerError`.
  package init(path: String) throws(ControlServerError) {
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

  /// Releases the path, so that another daemon can claim it.
  func release() { lock.release() }
}
