import CLinux
import Glibc
import Synchronization

/// A writer of log lines that never waits for the reader of its descriptor.
///
/// An unread pipe is full after 64 KiB (pipe(7)), and write(2) would then block the control loop.
final class LineWriter: Sendable {
  /// The writer of standard error.
  ///
  /// The nonblocking description replaces the inherited one, because C libraries write warnings there directly
  /// (fontconfig).
  static let standardError: LineWriter = {
    let writer = LineWriter(STDERR_FILENO)
    if writer.method == .reopened { _ = dup2(writer.descriptor, STDERR_FILENO) }
    return writer
  }()

  /// The method of writing to the descriptor without blocking.
  private enum Method {
    /// A regular file or a device, to which writes do not block.
    case plain
    /// A pipe or terminal, reopened as a separate open file description.
    ///
    /// O_NONBLOCK on the inherited description would affect the shell that shares it (open(2)).
    case reopened
    /// A pipe or terminal that cannot be reopened (no /proc, or another owner), checked with poll(2) before each write.
    case polled
    /// A socket, such as the journal's.
    case socket
  }

  /// The number of bytes that a pipe accepts without blocking once poll(2) reports it writable (pipe(7), PIPE_BUF).
  private static let atOnce = 4096

  private let descriptor: Int32
  private let method: Method
  private let pending = Mutex(PendingLines())

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - descriptor: The target of the lines. The caller keeps it open.
  ///   - reopens: Whether a pipe or terminal may be reopened through /proc.
  init(_ descriptor: Int32, reopens: Bool = true) {
    let type = Self.type(of: descriptor)
    let mayBlock = type == S_IFIFO || type == S_IFCHR && isatty(descriptor) == 1
    let flags = O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let own = mayBlock && reopens ? unsafe open("/proc/self/fd/\(descriptor)", flags) : -1
    self.descriptor = own >= 0 ? own : descriptor
    method = own >= 0 ? .reopened : mayBlock ? .polled : type == S_IFSOCK ? .socket : .plain
  }

  deinit { if method == .reopened { close(descriptor) } }

  private static func type(of descriptor: Int32) -> mode_t {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  /// Writes a line, or drops and counts it.
  ///
  /// - Parameters:
  ///   - line: The line with its newline.
  ///   - report: Returns the line that reports the number of lines dropped before.
  func write(_ line: String, report: (Int) -> String) {
    pending.withLock { pending in
      pending.add(Array(line.utf8), report: { Array(report($0).utf8) }, write: put)
    }
  }

  /// Writes pending bytes, and returns the number of lines dropped since the last report.
  ///
  /// - Parameter report: Returns the line that reports the number of dropped lines.
  /// - Returns: The number of dropped lines; 0 once they are reported.
  func dropped(report: (Int) -> String) -> Int {
    pending.withLock { pending in
      pending.flush(report: { Array(report($0).utf8) }, write: put)
      return pending.dropped
    }
  }

  /// Writes bytes and returns their number, or 0 if the descriptor accepts none at present.
  private func put(_ bytes: ArraySlice<UInt8>) -> Int {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe put($0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return bytes.count - rest.count
  }

  private func put(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch method {
    case .plain, .reopened: return unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    case .socket:
      return unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    case .polled:
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard unsafe poll(&entry, 1, 0) == 1, entry.revents & Int16(POLLOUT) != 0 else { return 0 }
      return unsafe Glibc.write(descriptor, bytes.baseAddress, min(bytes.count, Self.atOnce))
    }
  }
}
