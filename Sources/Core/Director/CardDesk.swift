import Displays
import Outputs

/// One card: the machine that decides for it, and what the director needs to carry the decisions out.
///
/// Only the director uses it.
final class CardDesk {
  let card: any DisplayCard
  var machine: CardMachine
  var outputs: [String: Output] = [:]
  /// Events that are handled when the effects of the one before are carried out.
  var inbox: [CardMachine.Event] = []
  var isHandling = false
  /// The painters of the surfaces that are not freed yet.
  var painters: [Painter.SurfaceID: Painter] = [:]
  /// First frames whose mode is not set yet.
  var firstFrames: [Painter.SurfaceID: FirstFrame] = [:]
  /// The freeing of surfaces: a card with little memory needs it before the next allocation.
  var freeing: Task<Void, Never>?
  /// The closing of a card that is lost.
  var closing: Task<Void, Never>?
  /// The error of the last probe; nil if it succeeded.
  var complaint: String?
  /// The names of the monitors that were unplugged, by connector.
  var lastMonitors: [String: String] = [:]
  /// Connectors that have no output.
  var bare: [String: Bare] = [:]
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// The state of a connector without an output, and the time since it has it, in milliseconds since 1970.
  struct Bare {
    var state: DisplayState
    var since: Int64
  }

  init(_ card: any DisplayCard, machine: CardMachine) {
    self.card = card
    self.machine = machine
  }

  /// True if nothing is being done with the card, except for frames.
  var isIdle: Bool { machine.isIdle && inbox.isEmpty && !isHandling }

  /// Returns when nothing is being done with the card, except for frames.
  func idle(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { continuation in
      if isIdle { continuation.resume() } else { waiters.append(continuation) }
    }
  }

  /// Resumes those that wait for an idle card, if it is idle.
  func resumeIfIdle() {
    guard isIdle else { return }
    let idle = waiters
    waiters = []
    for waiter in idle { waiter.resume() }
  }

  /// The time at which the machine is to be called; nil if nothing changes by itself.
  var due: UInt64? {
    let isAnyHeld = outputs.values.contains { $0.heldUntil != nil }
    return machine.due(holding: isAnyHeld ? outputs.compactMapValues(\.heldUntil) : [:])
  }
}

/// The first frame of a mode.
struct FirstFrame {
  let buffer: BufferID
  let showing: Output.Showing
  let moving: Moving?
  /// The next change of what it shows, in milliseconds since 1970.
  let nextChange: Int64?
}
