import CLinux
import Glibc
import NIOPosix
import Testing

/// An inhibitor lock like logind's: a pipe whose write end the holder gets. The read end reaches EOF on release.
final class Lock {
  private let reader: Int32
  private var writer: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw BusPeer.Failure(what: "pipe: \(errno)") }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    if writer >= 0 { close(writer) }
  }

  /// Returns the write end, which the caller closes.
  func takeWriter() -> Int32 {
    defer { writer = -1 }
    return writer
  }

  /// Whether the lock is held now.
  var isHeld: Bool { !Self.canRead(reader, within: 0) }

  /// Waits until the lock is released. It does not block its thread, which the holder may need for the release.
  func waitUntilReleased() async throws {
    let reader = reader
    #expect(try await NIOThreadPool.singleton.runIfActive { Self.canRead(reader, within: -1) })
  }

  /// Waits for bytes or the end.
  static func canRead(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, milliseconds) == 1
  }
}
