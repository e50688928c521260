import Glibc
import Synchronization

/// The response to a request that another process sent, read from a socket by one request.
public final class InheritedReply: Sendable {
  private let descriptor: Mutex<Int32?>

  /// Creates a response, or returns nil if the descriptor is not an open socket.
  ///
  /// - Parameter text: The descriptor in decimal digits, greater than 2. The response owns the socket from now on.
  public init?(_ text: String) {
    var status = stat()
    guard let descriptor = Int32(text), descriptor > STDERR_FILENO, unsafe fstat(descriptor, &status) == 0,
      status.st_mode & S_IFMT == S_IFSOCK
    else { return nil }
    self.descriptor = Mutex(descriptor)
  }

  /// Returns the socket, which the caller must close, on the first call, and nil on later calls.
  func claim() -> Int32? {
    descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
  }
}
