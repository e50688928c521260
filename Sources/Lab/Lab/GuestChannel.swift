import CLinux
import Glibc
import Synchronization
import SystemCalls

/// The host's side of a virtio-serial port.
///
/// It sends requests and dispatches the replies to their jobs.
final class GuestChannel: Sendable {
  private let socket: Descriptor
  /// The flock that reserves the port for this program.
  ///
  /// It is held as long as the channel.
  private let claim: Descriptor
  private let state: ObservableState<State>
  private let sending = Mutex(())

  private struct State {
    var lastJob: UInt32 = 0
    var jobs: [UInt32: LabProcess] = [:]
    var uevents: [Uevent] = []
    var clock: UInt64?
    var isWelcome = false
    /// The reason why the channel failed, or nil while it works.
    var failure: LabError?
  }

  /// Takes ownership of a connected port.
  ///
  /// The guest may still be booting: `waitForWelcome` waits for its agent.
  init(socket: Descriptor, claim: Descriptor) throws(LabError) {
    self.socket = socket
    self.claim = claim
    state = ObservableState(State())
    let nonce = Array(String(SystemClock.monotonicNanoseconds(), radix: 36).utf8) + Array(" \(getpid())".utf8)
    let channel = self
    try startThread("lab-port") { channel.readLoop(nonce: nonce) }
    socket.setNonBlocking()
    try send([UInt8](Frame.resync) + Frame(kind: .hello, payload: nonce).encoded, within: .seconds(120))
  }

  /// Ends the reader thread.
  ///
  /// All running jobs fail.
  func close() {
    shutdown(socket.number, Int32(SHUT_RDWR))
  }

  /// Waits until the agent has answered on this port.
  func waitForWelcome(until deadline: Deadline) throws(LabError) {
    let result = state.wait(until: deadline) { state -> LabError?? in
      if state.isWelcome { return .some(nil) }
      return state.failure.map { .some($0) }
    }
    guard let result else { throw LabError(.timeout, "the guest's agent did not answer in time") }
    if let failure = result { throw failure }
  }

  /// Starts a job with a first frame of the given kind and payload.
  func start(_ kind: Frame.Kind, _ payload: [UInt8], name: String) throws(LabError) -> LabProcess {
    guard payload.count <= Frame.maximumPayload else {
      throw LabError(
        .invalid, "the command line and environment of \(name) are longer than \(Frame.maximumPayload) bytes")
    }
    let (process, failure) = state.update { state -> (LabProcess, LabError?) in
      state.lastJob += 1
      let process = LabProcess(job: state.lastJob, name: "in the guest: " + name) { [self] frame throws(LabError) in
        try send(frame)
      }
      state.jobs[process.job] = process
      return (process, state.failure)
    }
    if let failure { throw failure }
    try send(Frame(kind: kind, job: process.job, payload: payload).encoded)
    return process
  }

  func send(_ frame: Frame) throws(LabError) {
    try send(frame.encoded)
  }

  func subscribe() throws(LabError) {
    try send(Frame(kind: .uevents))
  }

  /// All uevents so far, oldest first.
  var uevents: [Uevent] { state.update { $0.uevents } }

  /// Waits for the first matching uevent from index `first` on, and returns it with its index.
  func waitForUevent(
    from first: Int, until deadline: Deadline, where matches: (Uevent) -> Bool
  ) -> (number: Int, event: Uevent)? {
    var seen = max(first, 0)
    return state.wait(until: deadline) { state -> (number: Int, event: Uevent)?? in
      while seen < state.uevents.count {
        defer { seen += 1 }
        if matches(state.uevents[seen]) { return .some((seen, state.uevents[seen])) }
      }
      return state.failure == nil ? nil : .some(nil)
    } ?? nil
  }

  /// Returns the guest's CLOCK_MONOTONIC in nanoseconds.
  func clock(until deadline: Deadline) throws(LabError) -> UInt64 {
    state.update { $0.clock = nil }
    try send(Frame(kind: .clock))
    guard let time = state.wait(until: deadline, { $0.clock }) else {
      throw LabError(.timeout, "the guest's agent did not report its time")
    }
    return time
  }

  // The frames of a call must stay contiguous when several threads send, hence the lock. It is separate from the
  // state's lock, which the reader needs while a write waits.
  private func send(_ bytes: [UInt8], within: Duration = .seconds(60)) throws(LabError) {
    if let failure = state.update({ $0.failure }) { throw failure }
    try sending.withLock { (_) throws(LabError) in
      try socket.writeAll(bytes, until: Deadline(in: within), to: "the guest's agent")
    }
  }

  // MARK: Reader thread

  private func readLoop(nonce: [UInt8]) {
    var decoder = FrameDecoder()
    var skipped: [UInt8]? = []
    let welcome = Frame(kind: .welcome, payload: nonce).encoded
    while socket.waitReady(Int32(POLLIN), until: Deadline(in: .seconds(86400))) {
      guard case .bytes(var bytes) = socket.read() else { break }
      if let before = skipped {
        // Unread bytes for an earlier host process come first. Discard all bytes before the reply to this process's
        // hello.
        let all = before + bytes
        guard let end = GuestChannel.end(of: welcome, in: all) else {
          skipped = all.suffix(welcome.count)
          continue
        }
        bytes = Array(all[end...])
        skipped = nil
        state.update { $0.isWelcome = true }
      }
      decoder.append(bytes)
      do throws(LabError) {
        while let frame = try decoder.next() { handle(frame) }
      } catch {
        return fail(error)
      }
    }
    fail(LabError(.ended, "the connection to the guest's agent is closed: QEMU ended, or the lab was taken down"))
  }

  private static func end(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= pattern.count else { return nil }
    for start in 0...(bytes.count - pattern.count) where bytes[start...].starts(with: pattern) {
      return start + pattern.count
    }
    return nil
  }

  private func handle(_ frame: Frame) {
    switch frame.kind {
    case .uevent: handleUevent(frame.payload)
    case .time:
      var reader = ByteReader(frame.payload[...])
      let time = reader.next(UInt64.self)
      state.update { $0.clock = time }
    case .end:
      let process = state.update { $0.jobs.removeValue(forKey: frame.job) }
      process?.handle(frame)
    default:
      let process = state.update { $0.jobs[frame.job] }
      process?.handle(frame)
    }
  }

  private func handleUevent(_ payload: [UInt8]) {
    var reader = ByteReader(payload[...])
    guard let time = reader.next(UInt64.self) else { return }
    guard let event = Uevent(nanoseconds: time, message: reader.remainder()) else { return }
    state.update { $0.uevents.append(event) }
  }

  private func fail(_ error: LabError) {
    let jobs = state.update { state in
      state.failure = error
      defer { state.jobs = [:] }
      return Array(state.jobs.values)
    }
    for job in jobs { job.fail(error) }
  }
}
