import Glibc

/// The descriptors 0 to 2: standard input, output, and error.
package enum StandardFiles {
  /// Opens /dev/null for each of them that is closed; must be called before anything else opens a file.
  ///
  /// The kernel assigns the lowest free descriptor to a new file (open(2)), so a log line could go to a socket or card.
  package static func openMissing() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", O_RDWR)
    }
  }
}
