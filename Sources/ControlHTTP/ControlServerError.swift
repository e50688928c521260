public import Access
import Glibc

/// Why the control socket could not be opened.
public enum ControlServerError: Error, Hashable, Sendable {
  /// Another service has this path; its process, where that is known.
  case inUse(path: String, by: Int32?)
  /// Something that is no socket is at this path.
  case notASocket(path: String)
  /// A Unix socket's path has at most 107 bytes (unix(7), `sun_path`).
  case pathTooLong(path: String)
  /// The directory belongs to somebody else, who could answer in our place.
  case foreignDirectory(path: String, owner: UInt32)
  /// There is no group of this name.
  case noGroup(name: String)
  /// A system call failed on this path.
  case system(operation: String, path: String, errno: Int32)
  /// Another program listens on this port.
  case portInUse(ListenAddress)
  /// A system call failed for this address.
  case web(operation: String, ListenAddress, errno: Int32)
  /// The event loop did not take the socket.
  case eventLoop(path: String, message: String)
}

extension ControlServerError: CustomStringConvertible {
  /// What was tried on which path, and the next step.
  public var description: String {
    switch self {
    case .inUse(let path, let process):
      "Another placardd\(process.map { " (process \($0))" } ?? "") uses \(path): stop it, or give this one a path of its "
        + "own with --socket."
    case .notASocket(let path):
      "\(path) is there and is no socket: move it away, or choose another path with --socket."
    case .pathTooLong(let path):
      "\(path) has \(path.utf8.count) bytes, and a Unix socket's path at most 107: choose a shorter one with --socket."
    case .foreignDirectory(let path, let owner):
      "\(path) belongs to user \(owner), who could answer in this service's place: remove it, or choose another path "
        + "with --socket."
    case .noGroup(let name):
      "There is no group \(name): make it (groupadd --system \(name)), or name another one."
    case .system(let operation, let path, let errno):
      "\(path): \(operation): \(Self.text(errno)). Is the directory there, and writable for this user?"
    case .portInUse(let listen):
      "Another program listens on \(listen): choose another port (listen in [controller], or --listen), or stop it; "
        + "ss -ltnp names it."
    case .web(let operation, let listen, let errno):
      "\(listen): \(operation): \(Self.text(errno)). Is the address one of this machine, and the port above 1023?"
    case .eventLoop(let path, let message):
      "\(path): the event loop did not take the socket: \(message)."
    }
  }

  private static func text(_ errno: Int32) -> String {
    guard let text = unsafe strerror(errno) else { return "error \(errno)" }
    return unsafe String(cString: text)
  }
}
