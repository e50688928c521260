import Glibc
import Synchronization
import SystemCalls

/// A receiver of the lines of a recording. Calls return at once.
package protocol RecordingSink: Sendable {
  /// Writes lines.
  ///
  /// - Parameter lines: Whole lines.
  /// - Returns: False if the sink accepts no more lines.
  func write(_ lines: [UInt8]) -> Bool
}

/// A sink in memory, for tests and for the decisions of a replay.
package final class RecordingMemory: RecordingSink {
  private let kept = Mutex<[UInt8]>([])

  /// Creates a sink without lines.
  package init() {}

  /// All lines so far.
  package var bytes: [UInt8] { kept.withLock { $0 } }

  /// Stores lines.
  ///
  /// - Parameter lines: Whole lines.
  /// - Returns: True.
  package func write(_ lines: [UInt8]) -> Bool {
    kept.withLock { $0 += lines }
    return true
  }
}

/// A sink that appends lines to a file, on a thread that may block. Lines are written as soon as that thread is free.
/// Lines that the kernel has accepted survive a kill of the service.
package final class RecordingFile: RecordingSink {
  /// The limit on lines that wait for a slow disk, in bytes. The recording ends if more are waiting.
  private static let mostWaiting = 4 << 20

  private struct State {
    var waiting: [UInt8] = []
    var isWriting = false
    var failure: String?
  }

  private let path: String
  private let descriptor: Int32
  private let run: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let complain: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// The reason that a file cannot be opened for recording.
  package struct OpeningError: Error, Hashable, CustomStringConvertible {
    /// The error message, a sentence: the path, the system's error, and the next step.
    package var description: String
  }

  /// Opens a file for recording, and creates it for its owner alone if it does not exist.
  ///
  /// Lines are appended to the existing content. A file that is not a recording, or that another service records to, is
  /// rejected and not changed.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum size of the file, in bytes. A file that has reached it is rejected.
  ///   - run: Runs work on a thread that may block, one piece after the other.
  ///   - complain: Called once, with the reason, if no more lines can be written.
  /// - Throws: `OpeningError` if the file is rejected or cannot be opened.
  package init(
    path: String, limit: Int, on run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    complain: @escaping @Sendable (String) -> Void
  ) throws(OpeningError) {
    self.path = path
    self.run = run
    self.complain = complain
    descriptor = unsafe open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
    // All properties are set now: an error runs deinit, which closes the descriptor. Closing it here as well would
    // close a descriptor that another thread has opened in between.
    guard descriptor >= 0 else { throw Self.cannotOpen(path, ErrorNumber(errno).description) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Self.cannotOpen(path, "it is not a regular file")
    }
    guard Self.beginsAsRecording(descriptor) else {
      throw Self.cannotOpen(path, "it is not empty, and its first line is not that of a recording")
    }
    guard status.st_size < limit else {
      throw Self.cannotOpen(path, "it has \(status.st_size) bytes, and a recording may have \(limit)")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw Self.cannotOpen(
        path, errno == EWOULDBLOCK ? "another service records to it" : ErrorNumber(errno).description)
    }
    endTornLine(at: status.st_size)
  }

  deinit {
    guard descriptor >= 0 else { return }
    // A child process that another thread has just forked has a copy of the descriptor until its exec. Without this
    // call, the copy would hold the lock (flock(2)).
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// The size of the file, in bytes.
  package var size: Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Queues lines for the writing thread.
  ///
  /// - Parameter lines: Whole lines.
  /// - Returns: False if writing has failed before.
  package func write(_ lines: [UInt8]) -> Bool {
    let (isTaken, isFirst) = state.withLock { state in
      guard state.failure == nil else { return (false, false) }
      state.waiting += lines
      defer { state.isWriting = true }
      return (true, !state.isWriting)
    }
    if isFirst { run { [self] in drain() } }
    return isTaken
  }

  private func drain() {
    while let lines = state.withLock({ state in Self.next(&state) }) {
      let failure = lines.count > Self.mostWaiting ? "the disk is too slow" : put(lines).map { "\($0)" }
      guard let failure else { continue }
      state.withLock { state in
        state.failure = failure
        state.waiting = []
      }
      complain("\(path): the recording ends here, and the service goes on: \(failure)")
    }
  }

  private static func next(_ state: inout State) -> [UInt8]? {
    guard !state.waiting.isEmpty else {
      state.isWriting = false
      return nil
    }
    defer { state.waiting = [] }
    return state.waiting
  }

  /// Writes all lines. Returns the error if that fails.
  private func put(_ lines: [UInt8]) -> ErrorNumber? {
    do throws(ErrorNumber) { try Transfer.write(lines, to: descriptor) } catch { return error }
    return nil
  }

  /// Returns whether a file begins with a header, or with the part of one that was written before a crash. The encoder
  /// sorts members by name, so `header` is the first one.
  private static func beginsAsRecording(_ descriptor: Int32) -> Bool {
    let beginning = Array(#"{"header":{"#.utf8)
    var bytes = [UInt8](repeating: 0, count: beginning.count)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return count >= 0 && bytes.prefix(count) == beginning.prefix(count)
  }

  /// Ends an incomplete line of the previous run, so that the next line begins on its own.
  private func endTornLine(at end: off_t) {
    var last: UInt8 = 0x0a
    if end > 0, unsafe pread(descriptor, &last, 1, end - 1) == 1, last != 0x0a { _ = put([0x0a]) }
  }

  private static func cannotOpen(_ path: String, _ reason: String) -> OpeningError {
    OpeningError(
      description: "\(path): cannot be recorded to: \(reason); give --record a file that the service may write")
  }
}
