import Configuration
import Displays
import Geometry
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
  var connector: ConnectorSnapshot
  var identity: MonitorIdentity
  /// Where it stands, and when it paints and flips. `Director.change` alone writes it.
  var machine: DisplayMachine
  /// How pictures are turned on their way to the glass: as is asked for, on a panel that may be mounted turned.
  var turn: Rotation { presentation.rotation + connector.orientation }
  /// Since when it stands so, in milliseconds since 1970.
  var stateSince: Int64
  var crtc: UInt32?
  var choice: ModeChoice?
  /// The mode that is set, or being set.
  var candidate: ModeChoice.Candidate?
  /// Whether the monitor still gets a signal although it is to sleep: the card did not end it.
  var hasSignal = false
  /// Whether it was lit since its modes were given up last.
  var hasBeenLit = false
  /// Candidates that are left to try, best first.
  var ladder: [ModeChoice.Candidate] = []
  /// Whether a plan that is being carried out concerns the output.
  var isInPlan = false
  private let flipping = Turn()
  /// What became of the candidates that were tried last, a sentence each.
  var attempts = Attempts()
  /// The trouble that the log tells of it, and what failed, until it is lit: a try that comes to the same is no news.
  private var toldTrouble: DisplayState?
  private var toldFailures: Set<String> = []
  /// Where the pixels are; nil while nothing is mounted.
  var surface: Painter.SurfaceID? { didSet { serial = 0 } }
  /// The number of the picture on the glass among those of its surface, which counts them, too.
  var serial = 0
  /// The frame that the next modeset is to show; nil if no plan concerns the output.
  var firstFrame: FirstFrame?
  /// Surfaces of earlier modes, which may be on the glass until the first flip of the new one.
  var retired: [Painter.SurfaceID] = []
  /// Makes the second buffer, which the first picture does not wait for; its result is why that failed.
  var secondBuffer: Task<CardError?, Never>?
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
  /// Which frames may still be presented. `Director.change` updates it.
  let permit = SharedFramePermit()
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
  /// Whether the next modeset is to switch it off first: its pipe is stuck.
  var isStuck = false
  /// Flips that came while a modeset's call has not returned; nil while there is none under way.
  var earlyFlips: [UInt64]?
  var waiters: [Waiter] = []
  /// When something that may never come is overdue.
  var deadline: UInt64?

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
    _ connector: ConnectorSnapshot, _ presentation: Presentation, painter: Painter, patience: FrameMachine.Patience,
    at now: Int64
  ) {
    name = connector.name
    self.connector = connector
    self.presentation = presentation
    identity = MonitorIdentity(connector)
    self.painter = painter
    machine = DisplayMachine(patience: patience)
    stateSince = now
  }

  var state: DisplayState { machine.state }

  var frames: FrameMachine { machine.frames }

  var isLit: Bool { state == .lit }

  /// Whether nothing is done about it: it is lit, dark or lost, and a mode is neither being set nor to be set anew.
  var isSettled: Bool {
    switch state {
    case .lit, .dark, .lost: true
    case .lighting, .stalled: false
    }
  }

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
