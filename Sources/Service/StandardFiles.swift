import Glibc

/// The descriptors 0 to 2: standard input, output and error.
public enum StandardFiles {
  /// Opens /dev/null for each of them that is closed. Must be called before anything else opens a file: the kernel gives
  /// a new file the lowest free descriptor (open(2)), so that a log line would go to a socket or a card.
  public static func openMissing() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", O_RDWR)
    }
  }
}
