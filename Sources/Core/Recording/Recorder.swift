package import Configuration
package import Displays
import Geometry
import Glibc
import JSON
import Synchronization

/// A recorder of hardware events and decisions, which writes a line for each. Its functions can be called on any thread
/// and do not block.
package final class Recorder: Sendable {
  /// The default maximum size of a file, in bytes. A recording that reaches it ends.
  package static let usualLimit = 64 << 20

  private struct State {
    var calls = 0
    /// The last written modes and EDID by card and connector. They are written again only after a change.
    var written: [String: (modes: [RecordedMode], edid: String?)] = [:]
    var frames = FrameRuns()
    var mask: SerialMask?
    var bytes: Int
    var isOver = false
  }

  /// The initial data of a run.
  package struct Beginning: Sendable {
    /// The service's version.
    package var version: String
    /// The kernel, such as `Linux 6.1.0-18-amd64 x86_64`.
    package var kernel: String
    /// The backend, `kms` or `virtual`.
    package var backend: String
    /// The wall-clock time, in milliseconds since 1970.
    package var wall: Int64
    /// The settings of the service.
    package var settings: Settings
    /// The timeouts for flips and busy cards.
    package var patience: FrameMachine.Patience

    /// Creates the initial data of a run.
    ///
    /// - Parameters:
    ///   - version: The service's version.
    ///   - kernel: The kernel, such as `Linux 6.1.0-18-amd64 x86_64`.
    ///   - backend: The backend, `kms` or `virtual`.
    ///   - wall: The wall-clock time, in milliseconds since 1970.
    ///   - settings: The settings of the service.
    ///   - patience: The timeouts for flips and busy cards.
    package init(
      version: String, kernel: String, backend: String, wall: Int64, settings: Settings,
      patience: FrameMachine.Patience = .init()
    ) {
      self.version = version
      self.kernel = kernel
      self.backend = backend
      self.wall = wall
      self.settings = settings
      self.patience = patience
    }
  }

  private let sink: any RecordingSink
  private let now: @Sendable () -> UInt64
  private let began: UInt64
  private let limit: Int
  private let isFull: @Sendable (String) -> Void
  private let state: Mutex<State>

  /// Begins a run.
  ///
  /// - Parameters:
  ///   - beginning: The data for the header.
  ///   - sink: The receiver of the lines.
  ///   - isMasked: Whether serial numbers are replaced.
  ///   - size: The current size of the file, in bytes.
  ///   - limit: The maximum size of the file, in bytes.
  ///   - now: Returns the time, in nanoseconds of CLOCK_MONOTONIC.
  ///   - isFull: Called once, with a message, when the limit is reached.
  package init(
    _ beginning: Beginning, sink: any RecordingSink, isMasked: Bool = false, size: Int = 0,
    limit: Int = Recorder.usualLimit, now: @escaping @Sendable () -> UInt64,
    isFull: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.sink = sink
    self.now = now
    self.limit = limit
    self.isFull = isFull
    began = now()
    var mask = isMasked ? SerialMask() : nil
    let settings = RecordedSettings(beginning.settings)
    let header = RecordingLine.Header(
      placard: beginning.version, kernel: beginning.kernel, backend: beginning.backend, began: beginning.wall,
      monotonic: Int64(clamping: began), masked: isMasked,
      patience: [beginning.patience.flip, beginning.patience.busy], settings: mask?.mask(settings) ?? settings)
    state = Mutex(State(mask: mask, bytes: size))
    note { line, _ in line.header = header }
  }

  /// Writes the held frames and the end of the run. Nothing is written afterward.
  ///
  /// - Parameter reason: The reason that the run ends.
  package func finish(_ reason: String = "the service ended") {
    note { line, _ in line.end = reason }
    state.withLock { $0.isOver = true }
  }

  // MARK: Hardware events

  /// Records that a card is ready, waits or is gone, or that the first scan for cards is over.
  func arrived(_ kind: RecordingLine.Arrival.Kind, _ card: String? = nil, reason: String? = nil) {
    note { line, _ in line.arrival = .init(kind: kind, card: card, reason: reason) }
  }

  /// Records a kernel event that causes a probe.
  ///
  /// - Parameter words: A description of the event.
  package func heard(hint words: String) { note { line, _ in line.hint = words } }

  /// Records an event of a card.
  func heard(_ event: CardEvent, from card: String) {
    let time = elapsed
    if case .flipped(let flip) = event, flip.modeset == 0,
      state.withLock({ $0.frames.flipped(card, flip.crtc, at: time) })
    {
      return
    }
    note { line, _ in line.event = RecordingLine.Event(event, card, since: began) }
  }

  /// Records a call to a card, and returns the number for its answer.
  func asks(
    _ operation: RecordingLine.Operation, of card: String, size: [Int]? = nil, plan: ModesetPlan? = nil,
    connectors: Set<UInt32>? = nil
  ) -> Int {
    var number = 0
    note { line, state in
      state.calls += 1
      number = state.calls
      line.call = .init(
        n: number, card: card, op: operation, size: size, plan: plan.map(RecordingLine.Plan.init),
        connectors: connectors?.sorted(), modeset: plan?.number == 0 ? nil : plan?.number)
      for output in plan?.lit ?? [] { state.frames.lit(card, output.crtc) }
    }
    return number
  }

  /// Records the answer of a card; the answer to a probe has a snapshot.
  func answered(_ number: Int, _ snapshot: CardSnapshot? = nil, format: String? = nil, error: CardError? = nil) {
    note { line, state in
      line.answer = .init(
        n: number, snapshot: snapshot.map { Self.record($0, &state) }, format: format,
        error: error.map(RecordedError.init))
    }
  }

  /// Records that a render thread is about to present a frame. `presented` follows when the call returns.
  func presents(_ flip: FlipRequest, to card: String) {
    var line = RecordingLine(t: elapsed)
    let present = RecordingLine.Present(
      card: card, display: flip.name, crtc: flip.crtc,
      damage: flip.damage.isEmpty ? nil : flip.damage.map { [$0.x, $0.y, $0.width, $0.height] })
    line.present = present
    state.withLock { state in
      if state.frames.isHolding(card, flip.crtc) {
        state.frames.settle(card, flip.crtc)
        write(state.frames.taken(), &state)
      }
      state.frames.begin(line, present)
    }
  }

  /// Records the result of a present call.
  func presented(_ flip: FlipRequest, to card: String, error: CardError? = nil) {
    state.withLock { state in
      if state.frames.answered(card, flip.crtc, error: error.map(RecordedError.init)) {
        write(state.frames.taken(), &state)
      }
    }
  }

  // MARK: Requests and decisions

  func note(asked: RecordingLine.Asked, _ settings: Settings? = nil) {
    note { line, state in
      line.asked = asked
      let recorded = settings.map(RecordedSettings.init)
      line.asked?.settings = recorded.map { state.mask?.mask($0) ?? $0 }
    }
  }

  func note(met: RecordingLine.Met, _ connector: ConnectorSnapshot) {
    note { line, state in
      line.met = met
      var connector = connector
      connector.edid = state.mask?.mask(connector.edid) ?? connector.edid
      line.met?.monitor = MonitorIdentity(connector).text
    }
  }

  func note(state became: RecordingLine.State) { note { line, _ in line.state = became } }

  // MARK: Lines

  private var elapsed: Int64 { Int64(clamping: now() &- began) }

  /// Writes the counted frames, and then a line.
  private func note(_ fill: (inout RecordingLine, inout State) -> Void) {
    let time = elapsed
    state.withLock { state in
      guard !state.isOver else { return }
      var line = RecordingLine(t: time)
      fill(&line, &state)
      write(state.frames.taken() + [line], &state)
    }
  }

  private func write(_ lines: [RecordingLine], _ state: inout State) {
    guard !state.isOver else { return }
    var bytes = Self.bytes(of: lines)
    state.bytes += bytes.count
    if state.bytes >= limit {
      var last = RecordingLine(t: lines.last?.t ?? 0)
      last.end = "the recording is full"
      bytes += Self.bytes(of: [last])
      isFull("the recording has \(limit) bytes and ends here; the service goes on")
      state.isOver = true
    }
    if !sink.write(bytes) { state.isOver = true }
  }

  /// Returns the kernel's name, release and machine as in uname(2), such as `Linux 6.1.0-18-amd64 x86_64`.
  ///
  /// - Returns: The three values separated by spaces.
  package static func kernel() -> String {
    var name = utsname()
    guard unsafe uname(&name) == 0 else { return "Linux" }
    func text<Field>(_ field: Field) -> String {
      unsafe withUnsafeBytes(of: field) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return [text(name.sysname), text(name.release), text(name.machine)].joined(separator: " ")
  }

  private static func bytes(of lines: [RecordingLine]) -> [UInt8] {
    lines.flatMap { line in ((try? JSON.encode(line)) ?? []) + [0x0a] }
  }

  /// Returns the record of a snapshot. A connector's modes and EDID are included only if they have changed.
  private static func record(_ snapshot: CardSnapshot, _ state: inout State) -> RecordedSnapshot {
    let connectors = snapshot.connectors.map { connector in
      var record = RecordedConnector(connector, edid: state.mask?.mask(connector.edid) ?? connector.edid)
      let key = "\(snapshot.card) \(connector.id) \(connector.name)"
      if let last = state.written[key], last.modes == record.modes, last.edid == record.edid {
        (record.modes, record.edid) = (nil, nil)
      } else {
        state.written[key] = (record.modes ?? [], record.edid)
      }
      return record
    }
    return RecordedSnapshot(
      driver: snapshot.driver, crtcs: snapshot.crtcs.map { [$0.id, $0.isEnabled ? 1 : 0] }, connectors: connectors)
  }
}

extension RecordingLine.Event {
  init(_ event: CardEvent, _ card: String, since began: UInt64) {
    switch event {
    case .flipped(let flip):
      self.init(
        card: card, kind: .flipped, crtc: flip.crtc, sequence: flip.sequence,
        time: flip.time == 0 ? nil : Int64(clamping: flip.time) - Int64(clamping: began), modeset: flip.modeset)
    case .changed(let connector): self.init(card: card, kind: .changed, connector: connector)
    case .masterChanged: self.init(card: card, kind: .masterChanged)
    case .lost: self.init(card: card, kind: .lost)
    }
  }
}
