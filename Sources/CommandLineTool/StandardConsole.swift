import CLinux
import Glibc

/// The process's own standard input, output and error.
public struct StandardConsole: Console {
  /// The console of this process.
  public init() {}

  /// Columns as the kernel knows them (ioctl_tty(2), TIOCGWINSZ).
  public var columns: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// A reader that went away (`placard events | head`) ends the command without a word.
  public func write(_ bytes: [UInt8]) throws(Failure) {
    guard let errno = FileBytes.write(bytes, to: STDOUT_FILENO) else { return }
    throw Failure(.refused, errno == EPIPE ? "" : "Writing the output failed: \(FileBytes.text(errno)).")
  }

  /// Writes to the standard error.
  public func complain(_ text: String) { _ = FileBytes.write(Array("\(text)\n".utf8), to: STDERR_FILENO) }

  /// All of the standard input.
  public func readInput() throws(Failure) -> [UInt8] {
    switch FileBytes.read(STDIN_FILENO) {
    case .success(let bytes): return bytes
    case .failure(let error): throw Failure(.refused, "Reading the standard input failed: \(error).")
    }
  }
}
