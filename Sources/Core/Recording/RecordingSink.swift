import Glibc
import Synchronization
import SystemCalls

/// Where the lines of a recording go. Calls return at once.
package protocol RecordingSink: Sendable {
  /// Takes some lines; false where it takes none any more.
  func write(_ lines: [UInt8]) -> Bool
}

/// Keeps lines in memory: for tests, and for what a replay decides.
package final class RecordingMemory: RecordingSink {
  private let kept = Mutex<[UInt8]>([])

  /// No lines yet.
  package init() {}

  /// All lines so far.
  package var bytes: [UInt8] { kept.withLock { $0 } }

  /// Keeps the lines.
  package func write(_ lines: [UInt8]) -> Bool {
    kept.withLock { $0 += lines }
    return true
  }
}

/// Appends lines to a file, on a thread that may block. Each goes to the kernel as soon as that thread has time, so that
/// whoever is killed afterwards loses none.
package final class RecordingFile: RecordingSink {
  /// Lines that may wait for a slow disk, in bytes; more than that end the recording.
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

  /// Why a file cannot be recorded to, in a sentence.
  package struct OpeningError: Error, Hashable, CustomStringConvertible {
    /// The sentence: the path, the system's words, and what to do.
    package var description: String
  }

  /// Opens the file, which is made where it is missing, for its owner alone; what it holds already stays before what is
  /// written. A file that is no recording, or that another service records to, is refused and not changed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: How many bytes it must not have yet.
  ///   - run: Runs work on a thread that may block, one after the other.
  ///   - complain: Is told, once, why no more lines can be written.
  /// - Throws: `OpeningError` if the file is refused or cannot be opened.
  package init(
    path: String, limit: Int, on run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    complain: @escaping @Sendable (String) -> Void
  ) throws(OpeningError) {
    self.path = path
    self.run = run
    self.complain = complain
    descriptor = unsafe open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
    // All properties are set now: an error runs deinit, which closes the descriptor. Closing it here as well would close
    // a descriptor that another thread has opened in between.
    guard descriptor >= 0 else { throw Self.cannotOpen(path, ErrorNumber(errno).description) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Self.cannotOpen(path, "it is no regular file")
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
    // A child process that another thread has just forked has a copy of the descriptor until its exec: without this it
    // would hold the lock (flock(2)).
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// How many bytes the file has.
  package var size: Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Gives the lines to the thread.
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

  /// Writes all lines, and returns the error if that fails.
  private func put(_ lines: [UInt8]) -> ErrorNumber? {
    do throws(ErrorNumber) { try Transfer.write(lines, to: descriptor) } catch { return error }
    return nil
  }

  /// Whether a file begins with a header, or with as much of one as was written before a crash. Members are in the order
  /// of their names, so that the header comes first.
  private static func beginsAsRecording(_ descriptor: Int32) -> Bool {
    let beginning = Array(#"{"header":{"#.utf8)
    var bytes = [UInt8](repeating: 0, count: beginning.count)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return count >= 0 && bytes.prefix(count) == beginning.prefix(count)
  }

  /// The life before may have ended in the middle of a line.
  private func endTornLine(at end: off_t) {
    var last: UInt8 = 0x0a
    if end > 0, unsafe pread(descriptor, &last, 1, end - 1) == 1, last != 0x0a { _ = put([0x0a]) }
  }

  private static func cannotOpen(_ path: String, _ reason: String) -> OpeningError {
    OpeningError(
      description: "\(path): cannot be recorded to: \(reason); give --record a file that the service may write")
  }
}
