import Displays
import Geometry
import Glibc
import NIOCore

/// A card that gives the recorded answers. Calls without a recorded answer succeed, except for probes.
final class ReplayCard: DisplayCard {
  let path: String
  let events: AsyncStream<CardEvent>
  /// Whether the recorded card applied one plan to several outputs. Recordings of older versions contain no such plan.
  var commitsTogether: Bool { stage.script.hasJointPlan }
  let followers = FlipFollowers()

  private let stage: ReplayStage
  private let continuation: AsyncStream<CardEvent>.Continuation

  init(_ path: String, on stage: ReplayStage) {
    self.path = path
    self.stage = stage
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  /// Emits an event of the card.
  func emit(_ event: CardEvent) {
    stage.recorder.heard(event, from: path)
    if case .flipped(let flip) = event, followers.deliver(flip) { return }
    continuation.yield(event)
    if event == .lost { continuation.finish() }
  }

  /// Causes a probe of the card without a recorded event.
  func hint() { continuation.yield(.changed(connector: nil)) }

  /// Ends the events.
  func finish() { continuation.finish() }

  func probe(_ connectors: Set<UInt32>?) async throws(CardError) -> CardSnapshot {
    let number = stage.recorder.asks(.probe, of: path, connectors: connectors)
    let step = stage.script.probe(path, at: stage.now)
    if let step { await stage.wait(until: step.end) }
    guard let snapshot = step?.snapshot else {
      let error = error(step?.error ?? missing("probe"))
      stage.recorder.answered(number, error: error)
      throw error
    }
    if stage.isOver { throw missing("probe") }
    stage.recorder.answered(number, snapshot)
    return snapshot
  }

  func allocate(_ size: Size) async throws(CardError) -> FrameBuffer {
    let numbers = [size.width, size.height]
    let number = stage.recorder.asks(.allocate, of: path, size: numbers)
    let step = stage.script.claim(.init(op: "allocate", card: path, size: numbers), at: stage.now)
    if let step { await stage.wait(until: step.end) }
    if let failure = step?.error {
      stage.recorder.answered(number, error: failure)
      throw failure
    }
    let format = step?.format == "rgb565" ? PixelFormat.rgb565 : .xrgb8888
    let (count, isTooLarge) = size.width.multipliedReportingOverflow(by: size.height &* format.bytesPerPixel)
    guard !stage.isOver, !isTooLarge, let (id, memory) = unsafe stage.memory(count) else {
      let error = CardError(
        reason: .refused, operation: "allocate \(size)", object: path, message: "a replay has no memory for it")
      stage.recorder.answered(number, error: error)
      throw error
    }
    stage.recorder.answered(number, format: step?.format ?? "xrgb8888")
    let address = UInt(bitPattern: memory.baseAddress)
    return unsafe FrameBuffer(
      id: id, size: size, format: format, stride: size.width * format.bytesPerPixel, unsafeMemory: memory
    ) { [stage] in
      unsafe free(UnsafeMutableRawPointer(bitPattern: address))
      stage.freed(count)
    }
  }

  func check(_ plan: ModesetPlan) async throws(CardError) {
    _ = try await carryOut(.check, plan)
  }

  func apply(_ plan: ModesetPlan) async throws(CardError) {
    let begin = stage.now
    let step = try await carryOut(.apply, plan)
    stage.script.applied(plan, to: path)
    for output in plan.lit {
      answer(step, crtc: output.crtc, modeset: plan.number, since: begin, refresh: output.mode.refresh)
    }
  }

  private func carryOut(
    _ operation: RecordingLine.Operation, _ plan: ModesetPlan
  ) async throws(CardError) -> ReplayScript.Step? {
    let number = stage.recorder.asks(operation, of: path, plan: plan)
    let key = ReplayScript.Key(op: operation.rawValue, card: path, plan: RecordingLine.Plan(plan))
    let step = stage.script.claim(key, at: stage.now)
    if let step { await stage.wait(until: step.end) }
    stage.recorder.answered(number, error: step?.error)
    if let failure = step?.error { throw failure }
    return step
  }

  func present(_ flip: FlipRequest) throws(CardError) {
    stage.recorder.presents(flip, to: path)
    let step = stage.script.claim(.init(op: "present", card: path, display: flip.name), at: stage.now)
    stage.recorder.presented(flip, to: path, error: step?.error)
    if let failure = step?.error { throw failure }
    answer(step, crtc: flip.crtc, since: stage.now, refresh: 60_000)
  }

  func close() async {
    let number = stage.recorder.asks(.close, of: path)
    let step = stage.script.claim(.init(op: "close", card: path), at: stage.now)
    if let step { await stage.wait(until: step.end) }
    stage.recorder.answered(number)
    continuation.finish()
  }

  /// Sends the recorded flips at their times. Without a recorded call, sends one flip at the next vertical blank.
  private func answer(_ step: ReplayScript.Step?, crtc: UInt32, modeset: UInt32 = 0, since begin: Int64, refresh: Int) {
    guard let step else {
      let time = stage.now + 1_000_000_000_000 / Int64(max(refresh, 1000))
      let flip = Flip(crtc: crtc, sequence: 0, time: stage.began &+ UInt64(max(time, 0)), modeset: modeset)
      return stage.at(time) { [weak self] _ in self?.emit(.flipped(flip)) }
    }
    for flip in step.flips where flip.event.crtc == crtc {
      let event = CardEvent(flip.event, since: stage.began, asked: step.begin, now: begin, modeset: modeset)
      if flip.at <= stage.now { emit(event) } else { stage.at(flip.at) { [weak self] _ in self?.emit(event) } }
    }
  }

  private func error(_ error: CardError) -> CardError { stage.isOver ? missing("probe") : error }

  private func missing(_ operation: String) -> CardError {
    CardError(
      reason: stage.isOver ? .gone : .other, operation: operation, object: path, message: "the recording has no answer")
  }
}

extension CardEvent {
  /// Creates a recorded event in the time of a replay.
  ///
  /// A flip that followed its request in the recording must also follow it in the replay, which may make the request
  /// slightly later.
  ///
  /// - Parameters:
  ///   - event: The recorded event.
  ///   - began: CLOCK_MONOTONIC at the beginning of the run, in nanoseconds.
  ///   - asked: The time of the recorded request, in nanoseconds since the run began.
  ///   - now: The time of the request in the replay, in nanoseconds since the run began.
  ///   - modeset: The number of the modeset in the replay whose flip it is; 0 for a frame's.
  init(_ event: RecordingLine.Event, since began: UInt64, asked: Int64 = .min, now: Int64 = .min, modeset: UInt32 = 0) {
    switch event.kind {
    case .flipped:
      let time = event.time.map { UInt64(bitPattern: Int64(bitPattern: began) &+ ($0 < asked ? $0 : max($0, now))) }
      self = .flipped(
        Flip(crtc: event.crtc ?? 0, sequence: event.sequence ?? 0, time: time ?? 0, modeset: modeset))
    case .changed: self = .changed(connector: event.connector)
    case .masterChanged: self = .masterChanged
    case .lost: self = .lost
    }
  }
}
