import Glibc
import Synchronization

/// The answer to a request that another program has sent: a socket to read it from, for one request.
public final class HandedAnswer: Sendable {
  private let descriptor: Mutex<Int32?>

  /// The answer behind a descriptor.
  ///
  /// - Parameter text: A connected socket's descriptor, in digits. It belongs to the answer from now on.
  /// - Returns: Nil if there is no such socket.
  public init?(_ text: String) {
    var status = stat()
    guard let descriptor = Int32(text), descriptor > STDERR_FILENO, unsafe fstat(descriptor, &status) == 0,
      status.st_mode & S_IFMT == S_IFSOCK
    else { return nil }
    self.descriptor = Mutex(descriptor)
  }

  /// Returns the socket the first time, then nil. The caller closes it.
  func take() -> Int32? {
    descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
  }
}
