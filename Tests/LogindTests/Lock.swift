import CLinux
import Glibc
import Testing
import Waiting

/// A lock as logind makes it: a pipe, whose writing end the holder gets. The reading end ends when it is let go of.
final class Lock {
  private let reader: Int32
  private var writer: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw Wire.Failure(what: "pipe: \(errno)") }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    if writer >= 0 { close(writer) }
  }

  /// The writing end, which the caller closes.
  func takeWriter() -> Int32 {
    defer { writer = -1 }
    return writer
  }

  /// Whether somebody holds it now.
  var isHeld: Bool { !Self.canRead(reader, within: 0) }

  /// Waits until nobody holds it any more. Others run meanwhile: the one who lets go of it may need this thread.
  func waitUntilReleased() async { await waitWhile { isHeld } }

  /// Waits for bytes or the end.
  static func canRead(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, milliseconds) == 1
  }
}
