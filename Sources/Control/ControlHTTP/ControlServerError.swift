package import Access
import SystemCalls

/// The reason why a listener could not be opened.
package enum ControlServerError: Error, Hashable, Sendable {
  /// Another daemon uses this path; `by` is its process ID, if known.
  case inUse(path: String, by: Int32?)
  /// The file at this path is not a socket.
  case notASocket(path: String)
  /// The path exceeds the 107 bytes of a Unix socket's path (unix(7), `sun_path`), or contains a zero byte.
  case pathTooLong(path: String)
  /// The directory belongs to another user, who could answer in place of this daemon.
  case foreignDirectory(path: String, owner: UInt32)
  /// The group does not exist.
  case noGroup(name: String)
  /// A system call failed on this path.
  case system(operation: String, path: String, errno: Int32)
  /// Another program listens on this port.
  case portInUse(ListenAddress)
  /// A system call failed for this address.
  case web(operation: String, ListenAddress, errno: Int32)
  /// The event loop did not accept the socket.
  case eventLoop(path: String, message: String)
}

extension ControlServerError: CustomStringConvertible {
  /// A message that names the path or address, the failure and the next step.
  package var description: String {
    switch self {
    case .inUse(let path, let process):
      "Another placardd\(process.map { " (process \($0))" } ?? "") uses \(path): stop it, or choose another "
        + "path with --socket."
    case .notASocket(let path):
      "\(path) exists and is not a socket: move it away, or choose another path with --socket."
    case .pathTooLong(let path):
      "\(path) has \(path.utf8.count) bytes, and a Unix socket's path at most 107: choose a shorter one with --socket."
    case .foreignDirectory(let path, let owner):
      "\(path) belongs to user \(owner), who could answer in this service's place: remove it, or choose another path "
        + "with --socket."
    case .noGroup(let name):
      "There is no group \(name): create it (groupadd --system \(name)), or choose another one."
    case .system(let operation, let path, let errno):
      "\(path): \(operation): \(ErrorNumber(errno)). Check that the directory exists and that this user can write to "
        + "it."
    case .portInUse(let listen):
      "Another program listens on \(listen): choose another port (listen in [controller], or --listen), or stop it; "
        + "ss -ltnp shows it."
    case .web(let operation, let listen, let errno):
      "\(listen): \(operation): \(ErrorNumber(errno)). Check that the address belongs to this machine and that the "
        + "port is above 1023."
    case .eventLoop(let path, let message):
      "\(path): the event loop did not accept the socket: \(message)."
    }
  }
}
