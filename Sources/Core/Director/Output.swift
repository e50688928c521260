import Configuration
import Displays
import Geometry
import Outputs
import Scenes

/// A connected monitor, from its detection until it is unplugged or its card is lost.
final class Output {
  /// A call that waits until a version of the scene is presented.
  struct Waiter {
    var version: Int
    var continuation: CheckedContinuation<ShowResult, Never>
  }

  let name: String
  let painter: Painter
  let managed: ManagedCard
  private let firstConnector: ConnectorSnapshot
  var identity: MonitorIdentity
  /// The state that was reported last.
  var state = DisplayState.lighting
  /// The start time of `state`, in milliseconds since 1970.
  var stateSince: Int64
  /// True once the monitor's content is known.
  var isIntroduced = false
  /// The request that the machine received last; nil before the first one.
  var wish: OutputWish?
  /// The number of the content, which increases with each change of the visible content.
  var content = 0
  /// The time to which the deadline of its frame is postponed; nil if it is not postponed.
  var heldUntil: UInt64?
  private let flipping = AsyncMutex()
  /// The trouble that was logged last; nil if there is none. A retry with the same trouble or failure is not logged
  /// again until the output is lit.
  private var loggedTrouble: DisplayState?
  private var loggedFailures: Set<String> = []
  /// The number of the presented frame among the frames of its surface. The surface keeps the same count.
  var serial = 0
  /// The presentation that the settings determine for the monitor.
  var presentation: Presentation
  /// The mode change that is pending or being applied; normally nil.
  var pending: PendingMode?
  /// The content to show.
  var wanted: Shown?
  /// The time from which the pages of `wanted` turn, in milliseconds since 1970.
  var since: Int64 = 0
  /// The time of the next change of the content without a request, in milliseconds since 1970; nil for never.
  var nextChange: Int64?
  /// The buffer and damage of the frame that was rendered last.
  var frame: Painter.Frame?
  /// The frame gate, which decides which frames may still be presented.
  let permit = SharedFramePermit()
  /// The last change that the frame gate handled.
  var lastPermit: FramePermit.Event?
  /// The number of frames that the painter is working on, including those that are no longer wanted.
  var paintings = 0
  /// The flips that arrived before the painter reported their present calls.
  var heldFlips: [Flip] = []
  /// The content of the frame that was rendered last; `showing` is the content of the presented frame.
  var painted = Showing()
  var showing = Showing()
  /// The animation on screen; nil if nothing moves.
  var moving: Moving?
  /// The number of missed animation frames; nil if nothing has moved yet.
  var missedFrames: Int?
  /// The largest number of consecutive missed frames.
  var missedInARow: Int?
  /// Whether the driver has vertical blanks, according to the last flip.
  var hasVBlank = false
  /// The time at which the next animation frame is rendered, by the control loop's clock.
  var animationDue: UInt64?
  /// The time at which the first frame after a modeset is compared with the rendered one, by the control loop's clock.
  var checkDue: UInt64?
  /// The cache of the previews that clients requested.
  let previews = PreviewCache()
  /// The open history entry for the presented content; nil if there is none.
  var entry: PresentedEntry?
  var waiters: [Waiter] = []

  /// Returns whether the log already contains a state: the same trouble, or a retry during trouble. Records the state
  /// for the next call.
  func knows(_ state: DisplayState) -> Bool {
    if state == loggedTrouble || (state == .lighting && loggedTrouble?.darkness != nil) { return true }
    loggedTrouble = state.isTrouble ? state : nil
    if state == .lit { loggedFailures = [] }
    return false
  }

  /// Returns whether the log already contains a failure, and records it for the next call.
  func knows(failure words: String) -> Bool {
    // The set is bounded. Failures with many different texts are not repetitions.
    if loggedFailures.count >= 64 { loggedFailures = [] }
    return !loggedFailures.insert(words).inserted
  }

  init(
    _ connector: ConnectorSnapshot, _ presentation: Presentation, painter: Painter, managed: ManagedCard, at now: Int64
  ) {
    name = connector.name
    firstConnector = connector
    self.presentation = presentation
    self.managed = managed
    identity = MonitorIdentity(connector)
    self.painter = painter
    stateSince = now
  }

  /// True until the monitor is unplugged or its card is lost.
  var isConnected: Bool { managed.outputs[name] === self }

  /// The output's state machine; nil if the monitor is gone.
  private var machine: OutputMachine? { isConnected ? managed.machine.outputs[name] : nil }

  var connector: ConnectorSnapshot { machine?.connector ?? firstConnector }

  /// The rotation of frames in the framebuffer: the requested one, plus that of a panel that is mounted rotated.
  var turn: Rotation { presentation.rotation + connector.orientation }

  var frames: FrameMachine { machine?.frames ?? FrameMachine() }

  var crtc: UInt32? { machine?.crtc }

  /// The choice that the mode policy made last.
  var choice: ModeChoice? { machine?.choice }

  /// The results of the last attempts to set modes.
  var attempts: Attempts { machine?.attempts ?? Attempts() }

  /// The mode that is set or about to be set.
  var candidate: ModeChoice.Candidate? { isConnected ? managed.machine.candidate(of: name) : nil }

  /// The surface with the frames of the current mode.
  var surface: Painter.SurfaceID? { machine?.lit?.surface }

  /// The surfaces that are rendered into: those of the current mode and of the mode that is about to be set.
  var surfaces: [Painter.SurfaceID] { isConnected ? managed.machine.surfaces(of: name) : [] }

  /// True until a plan that concerns the output is carried out.
  var isInPlan: Bool { isConnected && managed.machine.isInPlan(name) }

  var isLit: Bool { state == .lit }

  /// The refresh rate of the mode, in thousandths of a hertz; 0 if it is unknown.
  var refresh: Int { candidate?.mode.refresh ?? 0 }

  var isAsleep: Bool { state.darkness == .asleep }

  /// Whether a flip arrived that is not handled yet.
  var isTakingFlip: Bool { flipping.isTaken || !heldFlips.isEmpty }

  /// Handles a flip after the flips before it, because each flip swaps the buffers.
  func takeFlip(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void) async {
    await flipping.run(body)
  }

  /// Resumes the calls that wait for this version or an older one.
  func settle(_ result: ShowResult, upTo version: Int = .max) {
    let settled = waiters.filter { $0.version <= version }
    waiters.removeAll { $0.version <= version }
    for waiter in settled { waiter.continuation.resume(returning: result) }
  }
}

/// The result of waiting for a message to be presented.
enum ShowResult: Sendable {
  /// A flip arrived. The presented content can differ from the content that was waited for.
  case shown(flipTime: UInt64, what: Shown?)
  case notShown(reason: String)
}
