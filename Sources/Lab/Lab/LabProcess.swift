import Glibc

/// A process in the guest, started with `Lab.start`, or on the host, started with `Lab.startOnHost`.
///
/// A process in the guest is killed when the program that started it exits or closes the lab. All methods may be called
/// from any thread.
public final class LabProcess: Sendable {
  /// An output stream of a process.
  public enum Stream: Sendable, Equatable {
    /// Standard output.
    case output
    /// Standard error.
    case error
  }

  /// A line of output, without its line feed.
  public struct Line: Sendable, Equatable {
    /// The stream that the line was written to.
    public let stream: Stream
    /// The text of the line.
    ///
    /// Invalid UTF-8 is replaced.
    public let text: String
  }

  /// The exit status and the complete output of a process.
  public struct Result: Sendable, Equatable {
    /// The exit status.
    public let status: ExitStatus
    /// The bytes of standard output.
    public let outputBytes: [UInt8]
    /// The bytes of standard error.
    public let errorBytes: [UInt8]

    /// Standard output as text.
    public var output: String { String(decoding: outputBytes, as: UTF8.self) }
    /// Standard error as text.
    public var errors: String { String(decoding: errorBytes, as: UTF8.self) }
  }

  let job: UInt32
  private let name: String
  private let send: @Sendable (Frame) throws(LabError) -> Void
  private let state = ObservableState(State())

  private struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var lines: [Line] = []
    var pending: [Stream: LineBuffer] = [:]
    /// The number of bytes that `nextChunk` has already returned.
    var given = (output: 0, errors: 0)
    var outcome: Swift.Result<GuestOutcome, LabError>?
  }

  /// - Parameters:
  ///   - job: The number of the job, which its frames carry.
  ///   - name: The description of the process in errors, such as "run ls".
  ///   - send: The function that carries out the frames `input`, `inputEnd` and `signal`.
  init(job: UInt32, name: String, send: @escaping @Sendable (Frame) throws(LabError) -> Void) {
    self.job = job
    self.name = name
    self.send = send
  }

  /// The standard output so far.
  public var output: String { state.update { String(decoding: $0.output, as: UTF8.self) } }

  /// The standard error so far.
  public var errors: String { state.update { String(decoding: $0.errors, as: UTF8.self) } }

  /// The complete lines of both streams so far, in order of arrival.
  ///
  /// After the exit, this includes a last line without a line feed.
  public var lines: [Line] { state.update { $0.lines } }

  /// Whether the process has not been reported as ended.
  public var isRunning: Bool { state.update { $0.outcome == nil } }

  /// Waits for a line that contains a text, in either stream.
  ///
  /// - Parameters:
  ///   - text: The text to search for.
  ///   - first: The index in `lines` at which to start. Lines from before this call count as well.
  ///   - within: The time limit.
  /// - Throws: `LabError` of kind `.timeout`, or `.ended` if the process ends without such a line, with the last lines.
  /// - Returns: The index of the line in `lines`. Pass its successor as `first` to find the next line.
  @discardableResult
  public func waitForLine(containing text: String, from first: Int = 0, within: Duration) throws(LabError) -> Int {
    var seen = max(first, 0)
    let found = state.wait(until: Deadline(in: within)) { state -> Int?? in
      while seen < state.lines.count {
        defer { seen += 1 }
        if state.lines[seen].text.contains(text) { return .some(seen) }
      }
      return state.outcome == nil ? nil : .some(nil)
    }
    guard let found else { throw LabError(.timeout, story("did not write \"\(text)\" within \(within.formatted)")) }
    guard let number = found else { throw LabError(.ended, story("ended without writing \"\(text)\"")) }
    return number
  }

  /// Waits for the exit of the process.
  ///
  /// - Parameter within: The time limit.
  /// - Throws: `LabError` if the process does not end in time, could not be started, or the guest ended.
  /// - Returns: The exit status and the complete output.
  public func wait(within: Duration) throws(LabError) -> Result {
    let ended = state.wait(until: Deadline(in: within)) { state in
      state.outcome.map { ($0, state.output, state.errors) }
    }
    guard let (outcome, output, errors) = ended else {
      throw LabError(.timeout, story("did not end within \(within.formatted)"))
    }
    switch outcome {
    case .success(.ended(let status)): return Result(status: status, outputBytes: output, errorBytes: errors)
    case .success(.refused(let reason)): throw LabError(.refused, "\(name): \(reason)")
    case .failure(let error): throw error
    }
  }

  /// Sends a signal to the process group.
  ///
  /// It has no effect after the exit.
  ///
  /// - Parameter signal: The signal number.
  /// - Throws: `LabError` if the request cannot be sent.
  public func kill(_ signal: Int32) throws(LabError) {
    var writer = ByteWriter()
    writer.append(signal)
    try send(Frame(kind: .signal, job: job, payload: writer.bytes))
  }

  /// Writes bytes to standard input.
  public func write(_ bytes: [UInt8]) throws(LabError) {
    for frame in Frame.split(.input, job: job, bytes) { try send(frame) }
  }

  /// Closes standard input.
  public func closeInput() throws(LabError) {
    try send(Frame(kind: .inputEnd, job: job))
  }

  /// Waits for new output since the last call.
  ///
  /// - Parameter within: The time limit.
  /// - Returns: The new output, or nil after the deadline, or when the process has ended and all output was returned.
  public func nextChunk(within: Duration) -> (output: [UInt8], errors: [UInt8])? {
    state.wait(until: Deadline(in: within)) { state -> (output: [UInt8], errors: [UInt8])?? in
      let output = Array(state.output[state.given.output...])
      let errors = Array(state.errors[state.given.errors...])
      if output.isEmpty && errors.isEmpty { return state.outcome == nil ? nil : .some(nil) }
      state.given = (state.output.count, state.errors.count)
      return (output, errors)
    } ?? nil
  }

  // MARK: Messages from the channel

  func handle(_ frame: Frame) {
    state.update { state in
      switch frame.kind {
      case .output: LabProcess.append(frame.payload, .output, &state)
      case .errorOutput: LabProcess.append(frame.payload, .error, &state)
      case .end:
        LabProcess.flushLastLines(&state)
        state.outcome = .success(GuestOutcome(parsing: frame.payload) ?? .refused("the agent's answer is unreadable"))
      default: return
      }
    }
  }

  func fail(_ error: LabError) {
    state.update { state in
      if state.outcome == nil { state.outcome = .failure(error) }
    }
  }

  private static func append(_ bytes: [UInt8], _ stream: Stream, _ state: inout State) {
    if stream == .output { state.output += bytes } else { state.errors += bytes }
    state.pending[stream, default: LineBuffer()].append(bytes)
    while let line = state.pending[stream]?.next() {
      state.lines.append(Line(stream: stream, text: String(decoding: line, as: UTF8.self)))
    }
  }

  private static func flushLastLines(_ state: inout State) {
    for stream in [Stream.output, .error] {
      guard let rest = state.pending.removeValue(forKey: stream)?.rest, !rest.isEmpty else { continue }
      state.lines.append(Line(stream: stream, text: String(decoding: rest, as: UTF8.self)))
    }
  }

  private func story(_ what: String) -> String {
    let tail = lines.suffix(12).map { "\n  " + $0.text }.joined()
    return "\(name) \(what)" + (tail.isEmpty ? " (it wrote nothing)" : "; its last lines:" + tail)
  }
}
