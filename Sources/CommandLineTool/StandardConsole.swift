import CLinux
import Glibc
import NIOPosix

/// The process's own standard input, output and error.
public struct StandardConsole: Console {
  /// The console of this process.
  public init() {}

  /// Columns as the kernel knows them.
  public var columns: Int? {
    guard isatty(STDOUT_FILENO) == 1, let size = TerminalSize(of: STDOUT_FILENO), size.columns > 0 else { return nil }
    return size.columns
  }

  /// The value of a variable of the environment.
  public func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(validatingCString: value)
  }

  /// A reader that went away (`placard tail | head`) ends the command without a word.
  public func write(_ bytes: [UInt8]) throws(Failure) {
    guard let errno = FileBytes.write(bytes, to: STDOUT_FILENO) else { return }
    throw Failure(.refused, errno == EPIPE ? "" : "Writing the output failed: \(FileBytes.text(errno)).")
  }

  /// Writes to the standard error.
  public func writeError(_ bytes: [UInt8]) { _ = FileBytes.write(bytes, to: STDERR_FILENO) }

  /// Writes over the line that the cursor is in (ECMA-48: carriage return, erase in line).
  public func progress(_ text: String?) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    _ = FileBytes.write(Array("\r\u{1b}[K\(Table.printable(text ?? ""))".utf8), to: STDERR_FILENO)
  }

  /// All of the standard input.
  public func readInput() throws(Failure) -> [UInt8] {
    switch FileBytes.read(STDIN_FILENO) {
    case .success(let bytes): return bytes
    case .failure(let error): throw Failure(.refused, "Reading the standard input failed: \(error).")
    }
  }

  /// The next bytes of the standard input. A thread of its own waits for them: what the input is (a file, a pipe, a
  /// terminal that others write to) is not ours to make non-blocking.
  public func readSome() async throws(Failure) -> [UInt8] {
    do {
      return try await NIOThreadPool.singleton.runIfActive { try FileBytes.readSome(STDIN_FILENO).get() }
    } catch {
      throw Failure(.refused, "Reading the standard input failed: \(error).")
    }
  }

  /// Signals as a stream, for the rest of the process's life.
  public func endings() async throws(Failure) -> AsyncStream<Void> {
    let (endings, ending) = AsyncStream.makeStream(of: Void.self)
    let watch = try await SignalWatch([SIGINT, SIGTERM, SIGHUP]) { _ in ending.yield() }
    ending.onTermination = { _ in watch.stop() }
    return endings
  }

  /// The terminal that the process hangs on, where both its input and its output do.
  public func openTerminal() async throws(Failure) -> (any Terminal)? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
    return try await StandardTerminal()
  }
}

extension TerminalSize {
  /// The size of the terminal that a descriptor is, as the kernel knows it (ioctl_tty(2), TIOCGWINSZ); nil for anything
  /// else.
  init?(of descriptor: Int32) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    self.init(
      columns: Int(size.ws_col), rows: Int(size.ws_row), width: Int(size.ws_xpixel), height: Int(size.ws_ypixel))
  }
}
