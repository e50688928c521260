import CLinux
import Glibc
import NIOPosix
import SystemCalls

/// The standard input, output and error of the process.
package struct StandardConsole: Console {
  /// Creates the console of this process.
  package init() {}

  /// The width in columns, as known to the kernel; nil if the output is not a terminal.
  package var columns: Int? {
    guard isatty(STDOUT_FILENO) == 1, let size = TerminalSize(of: STDOUT_FILENO), size.columns > 0 else { return nil }
    return size.columns
  }

  /// Returns the value of an environment variable, or nil if it is not set or not UTF-8.
  package func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(validatingCString: value)
  }

  /// Writes all bytes; if the reader has exited (`placard tail | head`), throws a failure without a message.
  package func write(_ bytes: [UInt8]) throws(Failure) {
    do throws(ErrorNumber) {
      try Transfer.write(bytes, to: STDOUT_FILENO)
    } catch {
      throw Failure(.refused, error.code == EPIPE ? "" : "Writing the output failed: \(error).")
    }
  }

  /// Writes to standard error.
  package func writeError(_ bytes: [UInt8]) { try? Transfer.write(bytes, to: STDERR_FILENO) }

  /// Overwrites the cursor's line (ECMA-48: carriage return, erase in line).
  package func progress(_ text: String?) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    try? Transfer.write(Array("\r\u{1b}[K\(Table.printable(text ?? ""))".utf8), to: STDERR_FILENO)
  }

  /// Returns all of standard input, or throws if it is larger than 16 MiB.
  package func readInput() throws(Failure) -> [UInt8] {
    switch FileBytes.read(STDIN_FILENO) {
    case .success(let bytes): return bytes
    case .failure(let error): throw Failure(.refused, "Reading standard input failed: \(error).")
    }
  }

  /// Returns the next bytes of standard input, for which another thread waits.
  package func readSome() async throws(Failure) -> [UInt8] {
    do {
      // Other processes may share the file, pipe or terminal, so it must not be made nonblocking.
      return try await NIOThreadPool.singleton.runIfActive { try FileBytes.readSome(STDIN_FILENO).get() }
    } catch {
      throw Failure(.refused, "Reading standard input failed: \(error).")
    }
  }

  /// Returns a stream that yields for each signal; the default actions return when it ends.
  package func terminationRequests() async throws(Failure) -> AsyncStream<Void> {
    let (terminationRequests, ending) = AsyncStream.makeStream(of: Void.self)
    let watch = try await SignalWatch([SIGINT, SIGTERM, SIGHUP]) { _ in ending.yield() }
    ending.onTermination = { _ in watch.stop() }
    return terminationRequests
  }

  /// Returns the controlling terminal, or nil unless both input and output are terminals.
  package func openTerminal() async throws(Failure) -> (any Terminal)? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
    return try await StandardTerminal()
  }
}

extension TerminalSize {
  /// Creates the size that the kernel reports (ioctl_tty(2), TIOCGWINSZ); nil if the descriptor is not a terminal.
  init?(of descriptor: Int32) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    self.init(
      columns: Int(size.ws_col), rows: Int(size.ws_row), width: Int(size.ws_xpixel), height: Int(size.ws_ypixel))
  }
}
