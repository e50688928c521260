import CLinux
import Glibc

/// A file descriptor that is closed when its last reference is released.
final class Descriptor: Sendable {
  let number: Int32
  private let isSocket: Bool

  /// Takes ownership of an open descriptor.
  ///
  /// A write to a socket without a peer then fails instead of raising SIGPIPE.
  init(_ number: Int32, isSocket: Bool = false) {
    self.number = number
    self.isSocket = isSocket
  }

  deinit {
    close(number)
  }

  /// Opens a file with O_CLOEXEC.
  static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o644) throws(LabError) -> Descriptor {
    let number = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
    guard number >= 0 else { throw LabError.system("open \(path)") }
    return Descriptor(number)
  }

  /// The result of one read(2).
  enum Chunk {
    case bytes([UInt8])
    case wouldBlock
    case end
    case failed(Int32)
  }

  /// Calls read(2) for at most `count` bytes, and retries after EINTR.
  func read(_ count: Int = 65536) -> Chunk {
    var code: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var got = -1
      repeat { got = unsafe Glibc.read(number, buffer.baseAddress, count) } while got < 0 && errno == EINTR
      code = got < 0 ? errno : 0
      filled = max(got, 0)
    }
    if code == EAGAIN { return .wouldBlock }
    if code != 0 { return .failed(code) }
    return bytes.isEmpty ? .end : .bytes(bytes)
  }

  /// Calls write(2) once, and retries after EINTR.
  ///
  /// - Parameter bytes: The bytes to write.
  /// - Returns: The number of accepted bytes, 0 if the call would block, or nil with errno set if it failed.
  func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    while true {
      let taken = unsafe bytes.withUnsafeBytes {
        isSocket
          ? unsafe send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          : unsafe Glibc.write(number, $0.baseAddress, $0.count)
      }
      if taken >= 0 { return taken }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { return nil }
    }
  }

  /// Writes all bytes, and waits for space until the deadline.
  func writeAll(_ bytes: [UInt8], until deadline: Deadline, to name: String) throws(LabError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let taken = write(rest) else { throw LabError.system("write to \(name)") }
      rest = rest.dropFirst(taken)
      if taken == 0, !waitReady(POLLOUT, until: deadline) {
        throw LabError(.timeout, "write to \(name): it accepts no more bytes")
      }
    }
  }

  /// Waits for poll(2) events, and returns whether one occurred before the deadline.
  func waitReady(_ events: Int32, until deadline: Deadline) -> Bool {
    while true {
      var entry = pollfd(fd: number, events: Int16(events), revents: 0)
      let count = unsafe poll(&entry, 1, deadline.milliseconds)
      if count > 0 { return true }
      if count == 0 { return false }
      if errno != EINTR { return false }
    }
  }

  /// Reads a line, without its line feed.
  ///
  /// Bytes after it are lost, so this suits only a single reply.
  func readLine(until deadline: Deadline) throws(LabError) -> [UInt8] {
    var lines = LineBuffer()
    while waitReady(Int32(POLLIN), until: deadline) {
      switch read() {
      case .bytes(let bytes): lines.append(bytes)
      case .wouldBlock: continue
      case .end: throw LabError(.ended, "the other program ended without an answer")
      case .failed(let code): throw LabError.system("read from the other program", code: code)
      }
      if let line = lines.next() { return line }
    }
    throw LabError(.timeout, "the other program did not answer in time")
  }

  func setNonBlocking() {
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }

  /// Acquires an exclusive flock(2), which is held until the descriptor is closed.
  ///
  /// Returns whether it succeeded.
  func lock(wait: Bool) -> Bool {
    while flock(number, LOCK_EX | (wait ? 0 : LOCK_NB)) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }
}

/// Creates an unlinked file, which disappears when it is closed.
func makeTemporaryFile() throws(LabError) -> Descriptor {
  var template = Array((temporaryDirectory() + "/placard-lab-XXXXXX").utf8CString)
  let number = unsafe mkstemp(&template)
  guard number >= 0 else { throw LabError.system("create a file in \(temporaryDirectory())") }
  unsafe unlink(template)
  _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  return Descriptor(number)
}

/// Creates a pipe.
func makePipe() throws(LabError) -> (read: Descriptor, write: Descriptor) {
  var ends: [Int32] = [0, 0]
  guard unsafe pipe(&ends) == 0 else { throw LabError.system("create a pipe") }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (Descriptor(ends[0]), Descriptor(ends[1]))
}
