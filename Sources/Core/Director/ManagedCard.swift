import Displays
import Outputs

/// A managed card: the machine that makes its decisions, and the state that the director needs to carry them out.
///
/// Only the director uses it.
final class ManagedCard {
  let card: any DisplayCard
  var machine: CardMachine
  var outputs: [String: Output] = [:]
  /// The events to handle after the effects of the current event are carried out.
  var inbox: [CardMachine.Event] = []
  var isHandling = false
  /// The painters of the surfaces that are not freed yet.
  var painters: [Painter.SurfaceID: Painter] = [:]
  /// The first frames whose mode is not set yet.
  var firstFrames: [Painter.SurfaceID: FirstFrame] = [:]
  /// The task that frees surfaces. A card with little memory needs it to finish before the next allocation.
  var freeing: Task<Void, Never>?
  /// The task that closes a lost card.
  var closing: Task<Void, Never>?
  /// The error of the last probe; nil if it succeeded.
  var complaint: String?
  /// The labels of the monitors that were unplugged, by connector.
  var lastMonitors: [String: String] = [:]
  /// The connectors without an output, by name.
  var bare: [String: BareConnector] = [:]
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(_ card: any DisplayCard, machine: CardMachine) {
    self.card = card
    self.machine = machine
  }

  /// True if no operation on the card is in progress, except for frames.
  var isIdle: Bool { machine.isIdle && inbox.isEmpty && !isHandling }

  /// Waits until no operation on the card is in progress, except for frames.
  func idle(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { continuation in
      if isIdle { continuation.resume() } else { waiters.append(continuation) }
    }
  }

  /// Resumes the calls of `idle(isolation:)` if the card is idle.
  func resumeIfIdle() {
    guard isIdle else { return }
    let idle = waiters
    waiters = []
    for waiter in idle { waiter.resume() }
  }

  /// The time of the machine's next deadline, in nanoseconds of CLOCK_MONOTONIC; nil if nothing changes without an
  /// event.
  var due: UInt64? {
    let isAnyHeld = outputs.values.contains { $0.heldUntil != nil }
    return machine.due(holding: isAnyHeld ? outputs.compactMapValues(\.heldUntil) : [:])
  }
}

/// The first frame of a mode.
struct FirstFrame {
  let buffer: BufferID
  let showing: Showing
  let moving: Moving?
  /// The time of the next change of its content, in milliseconds since 1970; nil for never.
  let nextChange: Int64?
}
