import Glibc
import Synchronization

/// Writes the lines of a log to a descriptor without waiting for its reader: an unread pipe is full after
/// 64 KiB (pipe(7)), and write(2) would then block the control loop.
final class LineWriter: Sendable {
  /// The writer of the process's standard error. The description that does not block takes the place of the inherited one,
  /// since libraries in C write warnings there themselves (fontconfig).
  static let standardError: LineWriter = {
    let writer = LineWriter(STDERR_FILENO)
    if writer.method == .reopened { _ = dup2(writer.descriptor, STDERR_FILENO) }
    return writer
  }()

  /// How the descriptor is written without waiting.
  private enum Method {
    /// A regular file or a device, which takes what it is given.
    case plain
    /// A pipe or terminal, by an open file description of its own: O_NONBLOCK on the inherited one would also hold for
    /// the shell that shares it (open(2)).
    case reopened
    /// A pipe or terminal that cannot be opened again (no /proc, or another user's): poll(2) goes first.
    case polled
    /// A socket, such as the journal's.
    case socket
  }

  /// A pipe with room for anything takes this many bytes at once (pipe(7), PIPE_BUF).
  private static let atOnce = 4096

  private let descriptor: Int32
  private let method: Method
  private let pending = Mutex(PendingLines())

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - descriptor: Where the lines go. The caller keeps it open.
  ///   - reopens: Whether a pipe or terminal may be opened again through /proc.
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
  ///   - report: Makes the line that reports how many lines were dropped before.
  func write(_ line: String, report: (Int) -> String) {
    pending.withLock { pending in
      pending.add(Array(line.utf8), report: { Array(report($0).utf8) }, write: put)
    }
  }

  /// Writes what waits, and returns how many lines were dropped since the last report.
  ///
  /// - Parameter report: Makes the line that reports how many lines were dropped.
  /// - Returns: The number of lines that were dropped; 0 once they could be reported.
  func dropped(report: (Int) -> String) -> Int {
    pending.withLock { pending in
      pending.flush(report: { Array(report($0).utf8) }, write: put)
      return pending.dropped
    }
  }

  /// Returns how many bytes were written; 0 where the descriptor takes none now.
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
