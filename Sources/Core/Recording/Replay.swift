import Control
import Director
import Displays
import Geometry
import JSON
import Logging
package import Configuration
import NIOCore
import Scenes
import SimulatedTime

/// A replay of recordings: the real director runs on cards in memory, in simulated time. It reports the decisions that
/// differ from the recorded ones.
///
/// A replay is deterministic provided that nothing runs outside its loop. Swift's streams pass through the global
/// executor, which must therefore run on `SimulatedClock.globalLoop` before the first task.
package enum Replay {
  /// The maximum number of timers between two lines of a recording. No recorded service runs as many on its own.
  static let mostTimers = 20_000

  /// Replays all runs of a recording. The call blocks until the replay is done, and uses the CPU meanwhile.
  ///
  /// - Parameters:
  ///   - bytes: The recording. Any bytes are read or rejected.
  ///   - version: The version of this Placard.
  ///   - change: Returns changed settings for a run, to test their effect.
  /// - Returns: The decisions of the replay, compared with the recorded ones.
  /// - Throws: `RecordingError` if the recording cannot be read.
  package static func report(
    on bytes: [UInt8], version: String, changing change: (Settings) -> Settings = { $0 }
  ) throws(RecordingError) -> ReplayReport {
    let runs = try RecordingReader.runs(of: bytes)
    return ReplayReport(runs: runs.map { run in report(on: run, version, change) })
  }

  private static func report(
    on run: RecordedRun, _ version: String, _ change: (Settings) -> Settings
  ) -> ReplayReport.Run {
    var notes = run.unreadable > 0 ? ["lines that could not be read and were passed over: \(run.unreadable)"] : []
    if let end = run.end { notes.append("the recording ends because \(end)") }
    let memory = RecordingMemory()
    let isWhole = Replayer(run, RecordedSettings(change(settings(of: run))).value, memory, version).replayed()
    if !isWhole { notes.append("the replay was ended early: it went on without an end where nothing was recorded") }
    let again = (try? RecordingReader.runs(of: memory.bytes))?.first ?? RecordedRun(header: run.header)
    return ReplayReport.Run(run, Comparison(recorded: run, now: again).differences, notes)
  }

  /// Returns the settings of the recorded service, as far as they were recorded.
  private static func settings(of run: RecordedRun) -> Settings {
    var settings = run.header.settings.value
    guard run.header.settings.areRulesMasked ?? false else { return settings }
    let met = run.lines.compactMap(\.met)
    settings.monitors = met.map { met in
      MonitorRule(
        match: MonitorMatch(identity: met.monitor, connector: met.display), policy: ModePolicy(parsing: met.policy),
        rotation: .init(rawValue: met.rotation))
    }
    return settings
  }
}

/// A replay of one run.
private struct Replayer {
  private let run: RecordedRun
  private let clock: SimulatedClock
  private let stage: ReplayStage
  private let source = ReplaySource()
  private let director: Director
  private let began: UInt64

  init(_ run: RecordedRun, _ settings: Settings, _ memory: RecordingMemory, _ version: String) {
    self.run = run
    // Clamped so that sums do not overflow.
    let began = UInt64(min(max(run.header.monotonic, 1 << 40), 1 << 60))
    let wall = min(max(run.header.began, 0), 1 << 50)
    let clock = SimulatedClock(at: began)
    (self.clock, self.began) = (clock, began)
    let recorder = Recorder(
      Recorder.Beginning(
        version: version, kernel: run.header.kernel, backend: run.header.backend, wall: wall, settings: settings),
      sink: memory, limit: .max, now: { clock.time })
    stage = ReplayStage(run, clock: clock, began: began, recorder: recorder)
    director = Director(
      settings: settings, loop: clock.loops[0], renderLoops: [],
      environment: Director.Environment(
        backend: .init(rawValue: run.header.backend) ?? .kms, version: version, pid: 0, now: { clock.time },
        wallClock: { wall + Int64((clock.time &- began) / 1_000_000) },
        sinceBoot: { Int64((clock.time &- began) / 1_000_000) }, epoch: "replay",
        patience: run.header.patience.flatMap(FrameMachine.Patience.init) ?? .init(), observer: recorder),
      persistence: ReplayPersistence(run), logger: Logger(label: "replay") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Replays the run. Returns false if the replay did not end on its own.
  func replayed() -> Bool { clock.own { replay() } }

  private func replay() -> Bool {
    director.assumeIsolated { $0.start(source) }
    var isWhole = true
    for (place, line) in run.lines.enumerated() {
      isWhole = clock.run(until: began &+ UInt64(line.t), most: Replay.mostTimers)
      if !isWhole || line.end != nil { break }
      act(on: line, at: place)
      clock.drain()
    }
    stage.recorder.finish("the replay ended")
    stage.end()
    source.end()
    director.assumeIsolated { director in _ = Task { await director.close() } }
    clock.drain()
    clock.cancelTimers()
    clock.drain()
    return isWhole
  }

  /// Reproduces the external input of a line: hardware events, user requests and changed content.
  private func act(on line: RecordingLine, at place: Int) {
    if let arrival = line.arrival { add(arrival) }
    if let event = line.event, event.kind != .flipped || stage.script.strayFlips.contains(place) {
      stage.card(event.card)?.emit(CardEvent(event, since: began))
    }
    if let asked = line.asked { repeatRequest(asked) }
    // The replay has not made this call, so the service had new content to show. New content is therefore set now.
    guard let step = stage.script.stepOfLine[place], !stage.script.steps[step].isUsed else { return }
    if let present = line.present { changePicture(of: [present.display]) }
    // The reason for this probe is not recorded.
    if let call = line.call, call.op == .probe { stage.card(call.card)?.hint() }
    if line.call?.op == .allocate {
      changePicture(of: director.assumeIsolated { $0.displays().filter { $0.state == .lit }.map(\.name) })
    }
  }

  private func add(_ arrival: RecordingLine.Arrival) {
    switch (arrival.kind, arrival.card) {
    case (.ready, let path?): source.send(.ready(stage.makeCard(path)))
    case (.waiting, let path?): source.send(.waiting(WaitingCard(path: path, reason: arrival.reason ?? "")))
    case (.gone, let path?): source.send(.gone(path: path))
    case (.settled, _): source.send(.settled)
    default: return
    }
    stage.recorder.arrived(arrival.kind, arrival.card, reason: arrival.reason)
  }

  /// Sets new content on displays. Frames are not recorded, so any new content will do.
  private func changePicture(of displays: [String]) {
    let text = "\(stage.now)"
    director.assumeIsolated { director in
      for display in displays {
        _ = Task { _ = try? await director.setMessage(MessageRequest(text: text, display: display, wait: false)) }
      }
    }
  }

  private func repeatRequest(_ asked: RecordingLine.Asked) {
    let display = asked.display ?? ""
    let request = ModeRequest(mode: asked.mode, rotation: asked.rotation, keep: asked.keep)
    let settings = asked.settings?.value
    director.assumeIsolated { director in
      _ = Task {
        switch asked.kind {
        case .sleep, .wake:
          _ = try? await director.setAsleep(SleepRequest(asleep: asked.kind == .sleep, display: asked.display))
        case .controllerSleeps: await director.controllerSleeps(true)
        case .controllerWakes: await director.controllerSleeps(false)
        case .mode: _ = try? await director.setMode(display, request)
        case .confirm: _ = try? await director.confirmMode(display)
        case .reset: _ = try? await director.resetMode(display)
        case .settings: if let settings { await director.apply(settings) }
        }
      }
    }
  }
}

/// The card source of a replay.
private final class ReplaySource: CardSource {
  let backend = "replay"
  let arrivals: AsyncStream<CardArrival>
  private let continuation: AsyncStream<CardArrival>.Continuation

  init() { (arrivals, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded) }

  func send(_ arrival: CardArrival) { continuation.yield(arrival) }

  func end() { continuation.finish() }

  func start() async {}
}

/// A persistence that returns only the monitor profiles from before the run.
private struct ReplayPersistence: Persistence {
  private let records: [Record]

  init(_ run: RecordedRun) {
    var known: Set<[String]> = []
    let first = run.lines.compactMap(\.met).filter { known.insert([$0.monitor, $0.place]).inserted }
    records = first.enumerated().compactMap { index, met in
      guard met.asleep || met.chosenMode != nil || met.chosenRotation != nil else { return nil }
      var profile: [String: JSONValue] = [
        "v": 1, "monitor": .string(met.monitor), "place": .string(met.place), "role": .string(met.role), "tags": [],
        "asleep": .bool(met.asleep), "last_seen": 0,
      ]
      profile["mode"] = met.chosenMode.map { .string($0) }
      profile["rotation"] = met.chosenRotation.map { .number("\($0)") }
      return Record(
        kind: "profile", key: "\(index + 1)", json: String(decoding: JSONValue.object(profile).encoded, as: UTF8.self))
    }
  }

  func load() async -> [Record]? { records }
  func write(_ changes: [RecordChange]) {}
  func note(_ step: HistoryChange) {}
  func settled() async {}
  func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine] { [] }
  func summary() async -> PersistenceSummary { PersistenceSummary(nil) }
}

extension FrameMachine.Patience {
  /// Creates the recorded timeouts; nil for values that no service has, so that a replay ends.
  fileprivate init?(_ recorded: [UInt64]) {
    guard recorded.count == 2, recorded.allSatisfy({ (1_000_000...1 << 40).contains($0) }) else { return nil }
    self.init(flip: recorded[0], busy: recorded[1])
  }
}
