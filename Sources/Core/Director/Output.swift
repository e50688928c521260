import Configuration
import Displays
import Geometry
import Outputs
import Scenes

/// One connected monitor, from the moment it was seen to the moment it goes.
final class Output {
  /// Who waits for a version of the scene to be on the glass.
  struct Waiter {
    var version: Int
    var continuation: CheckedContinuation<ShowResult, Never>
  }

  /// What a frame shows.
  struct Showing: Equatable {
    /// The scene that was asked for, and where it comes from; nil for nothing yet.
    var shown: Shown?
    /// The scene that is seen of it; nil for nothing yet.
    var seen: ShownScene?
    /// The place in the text that is seen; nil for what has no pages.
    var place: Place?
    /// What a person should know of it.
    var warnings: [String] = []
    /// Those of them that say that a picture is not shown.
    var lostPictures: [String] = []
    var extent = Extent()

    var source: Shown.Source? { shown?.source }

    /// What is seen: a banner's text, or anything else in a line; nil for nothing.
    var words: String? {
      guard let shown, let seen, shown.source != .fallback || shown.scene.text != "" else { return nil }
      return seen.words + page
    }

    /// What is seen in a line; nil for nothing yet.
    var summary: String? { seen.map { $0.summary + page } }

    /// The page of a text that has several.
    private var page: String {
      guard let place, extent.pages > 1 else { return "" }
      return ", page \(extent.page(at: place) + 1) of \(extent.pages)"
    }
  }

  let name: String
  let painter: Painter
  let desk: CardDesk
  private let firstConnector: ConnectorSnapshot
  var identity: MonitorIdentity
  /// The state that was reported last.
  var state = DisplayState.lighting
  /// Since when, in milliseconds since 1970.
  var stateSince: Int64
  /// True once it is known what the monitor is to show.
  var isIntroduced = false
  /// The wish that the machine received last; nil before the first one.
  var wish: OutputWish?
  /// The number of the content, which increases with each change of what is to be seen.
  var content = 0
  /// The time to which its deadline is postponed; nil if it is not.
  var heldUntil: UInt64?
  private let flipping = Turn()
  /// The trouble that the log tells of it, and what failed, until it is lit: a try that comes to the same is no news.
  private var toldTrouble: DisplayState?
  private var toldFailures: Set<String> = []
  /// The number of the picture on the glass among those of its surface, which counts them, too.
  var serial = 0
  /// What the settings make of the monitor.
  var presentation: Presentation
  /// What is tried on the monitor, or being set; nil as a rule.
  var trial: Trial?
  /// What is to be shown.
  var wanted: Shown?
  /// Since when, in milliseconds since 1970.
  var since: Int64 = 0
  /// When what is shown will look different by itself, in milliseconds since 1970; nil for never.
  var nextChange: Int64?
  /// The buffer and damage of the frame that was painted last.
  var frame: Painter.Frame?
  /// Which frames may still be presented.
  let permit = SharedFramePermit()
  /// The last change that the permit handled.
  var lastPermit: FramePermit.Event?
  /// How many pictures the painter is at work on, those that are not wanted any more among them.
  var paintings = 0
  /// Flips that were told before the painter has said that they were asked for.
  var heldFlips: [Flip] = []
  /// What the frame that was painted last shows, and the one on the glass.
  var painted = Showing()
  var showing = Showing()
  var lastFlip: UInt64 = 0
  /// What moves on the glass; nil while all stands still.
  var moving: Moving?
  /// How many pictures of what moved were missed; nil while nothing has moved.
  var missedFrames: Int?
  /// The most of them one after the other.
  var missedInARow: Int?
  /// Whether the driver has vertical blanks, as far as the last flip told.
  var hasVBlank = false
  /// When the next frame of an animation is rendered, by the control loop's clock.
  var animationDue: UInt64?
  /// When the first frame after a modeset is compared with what was painted.
  var checkDue: UInt64?
  /// Small pictures of the glass that somebody asked for.
  let previews = PreviewShelf()
  /// What the history says of the glass now.
  var entry: PresentedEntry?
  var waiters: [Waiter] = []

  /// Whether the log knows of a state already: the same trouble again, or another try while there is one. Notes what it
  /// knows from now on.
  func knows(_ state: DisplayState) -> Bool {
    if state == toldTrouble || (state == .lighting && toldTrouble?.darkness != nil) { return true }
    toldTrouble = state.isTrouble ? state : nil
    if state == .lit { toldFailures = [] }
    return false
  }

  /// The same for what failed.
  func knows(failure words: String) -> Bool {
    // Words of many kinds are no repetition.
    if toldFailures.count >= 64 { toldFailures = [] }
    return !toldFailures.insert(words).inserted
  }

  init(
    _ connector: ConnectorSnapshot, _ presentation: Presentation, painter: Painter, desk: CardDesk, at now: Int64
  ) {
    name = connector.name
    firstConnector = connector
    self.presentation = presentation
    self.desk = desk
    identity = MonitorIdentity(connector)
    self.painter = painter
    stateSince = now
  }

  /// True until the monitor is unplugged or its card is lost.
  var isConnected: Bool { desk.outputs[name] === self }

  /// The machine's part; nil if the monitor is gone.
  private var machine: OutputMachine? { isConnected ? desk.machine.outputs[name] : nil }

  var connector: ConnectorSnapshot { machine?.connector ?? firstConnector }

  /// How pictures are turned on their way to the glass: as is asked for, on a panel that may be mounted turned.
  var turn: Rotation { presentation.rotation + connector.orientation }

  var frames: FrameMachine { machine?.frames ?? FrameMachine() }

  var crtc: UInt32? { machine?.crtc }

  /// The choice that the policy made last.
  var choice: ModeChoice? { machine?.choice }

  /// The results of the modes that were tried last, a sentence each.
  var attempts: [String] { machine?.attempts.sentences ?? [] }

  /// The mode that is set, or about to be set.
  var candidate: ModeChoice.Candidate? { isConnected ? desk.machine.candidate(of: name) : nil }

  /// The surface with the frames of the mode that is set.
  var surface: Painter.SurfaceID? { machine?.lit?.surface }

  /// The surfaces that are rendered into: of the mode that is set, and of the one that is about to be set.
  var surfaces: [Painter.SurfaceID] { isConnected ? desk.machine.surfaces(of: name) : [] }

  /// True until a plan that concerns the output is carried out.
  var isInPlan: Bool { isConnected && desk.machine.isInPlan(name) }

  var isLit: Bool { state == .lit }

  /// How often the mode shows a picture, in thousandths of a hertz; 0 where that is unknown.
  var refresh: Int { candidate?.mode.refresh ?? 0 }

  var isAsleep: Bool { state.darkness == .asleep }

  /// Whether a flip came that has not been dealt with.
  var isTakingFlip: Bool { flipping.isTaken || !heldFlips.isEmpty }

  /// Takes in a flip when those before are taken in: each swaps the buffers.
  func takeFlip(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void) async {
    await flipping.take(body)
  }

  /// Tells everyone who waits for this version or an older one.
  func settle(_ result: ShowResult, upTo version: Int = .max) {
    let settled = waiters.filter { $0.version <= version }
    waiters.removeAll { $0.version <= version }
    for waiter in settled { waiter.continuation.resume(returning: result) }
  }
}

/// How waiting for a message ended.
enum ShowResult: Sendable {
  /// A flip came; what it showed may be something else than was waited for.
  case shown(flipTime: UInt64, what: Shown?)
  case notShown(reason: String)
}
