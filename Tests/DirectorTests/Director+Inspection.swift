import Control
import Displays
import NIOCore
import Scenes

@testable import Director
@testable import Outputs

/// The state inside a director that tests inspect, and changes to it.
extension Director {
  /// Whether no display has a pending frame, flip or modeset.
  var isResting: Bool { outputs.allSatisfy(\.isResting) }

  /// Returns the report of a display.
  func display(_ name: String) -> DisplayReport? { displays().first { $0.name == name } }

  /// Probes all cards.
  func probeAll() async { for managed in managedCards.values { await reconcile(managed) } }

  /// Whether a card is being probed or changed.
  var isProbing: Bool { managedCards.values.contains { !$0.isIdle } }

  /// The number of hotplug events so far.
  var hotplugEvents: Int { managedCards.values.map(\.machine.hints).reduce(0, +) }

  /// Returns whether a display is requested to sleep.
  func isToSleep(_ display: String) -> Bool { output(display)?.1.wish?.sleepReason != nil }

  /// Whether each card is being probed, or will be without a hotplug event.
  var isProbeDue: Bool { managedCards.values.allSatisfy { $0.machine.retryDue != nil || !$0.isIdle } }

  /// The delay of each card until the next retried probe; nil if no retry is due.
  var retryDelays: [Duration?] { managedCards.values.map(\.machine.retryDelay) }

  /// The number of failed probes of the card with the most.
  var mostRetries: Int { managedCards.values.map(\.machine.retries).max() ?? 0 }

  /// Sets the number of failed probes of each card.
  func countRetries(_ count: Int) { for managed in managedCards.values { managed.machine.retries = count } }

  /// Uses up the retry budget of each card.
  func exhaustRetryBudget() { for managed in managedCards.values { managed.machine.retries = ProbeRetry.delays.count } }

  /// Whether the retry budget of each card is used up.
  var isRetryBudgetExhausted: Bool { managedCards.values.allSatisfy { $0.machine.retries >= ProbeRetry.delays.count } }

  /// Lets a display stall, and returns whether the retry budgets are still used up before the next modeset.
  func isBudgetExhaustedAfterStall(_ display: String) -> Bool {
    for path in managedCards.keys { cardIsDue(path) }
    // The director tries another mode immediately, or has none.
    return output(display)?.1.isLit == false && isRetryBudgetExhausted
  }

  /// Lets the deadline of a display pass.
  func deadlinePassed(_ display: String) {
    guard let (managed, _) = output(display) else { return }
    let others = managed.outputs.keys.filter { $0 != display }
    feed(.timePassed(except: postponeDeadlines(on: managed).union(others)), to: managed)
  }

  /// Renews the retry budget of each card, which a slow test may have used up.
  func renewRetryBudget() {
    for managed in managedCards.values {
      managed.machine.renewRetryBudget()
      feed(.timePassed(), to: managed)
    }
  }

  /// Waits until the director has received the painters' reports about all their work so far.
  func waitForPainters() async {
    for painter in painters { try? await painter.loop.submit {}.get() }
  }

  /// Returns the number of the frame on a display, as the director and as the painter count it.
  func serials(on display: String) async -> Serials {
    guard let (_, output) = output(display), let surface = output.surface else { return Serials(own: 0, painters: -1) }
    return Serials(own: output.serial, painters: await output.painter.serial(surface))
  }

  /// Returns whether a display has a flip that the director has not handled yet.
  func isTakingFlip(_ display: String) -> Bool { output(display)?.1.isTakingFlip ?? false }

  /// Returns whether a display waits for a flip, which may be late.
  func awaitsFlip(_ display: String) -> Bool {
    switch output(display)?.1.frames.state {
    case .waitingForFlip, .blocked: true
    default: false
    }
  }

  /// Returns whether two displays have the same painter.
  func sharesPainter(_ display: String, with other: String) -> Bool {
    guard let (_, one) = output(display), let (_, two) = output(other) else { return false }
    return one.painter === two.painter
  }

  /// Returns whether a painter paints a frame of a display.
  func isPainting(_ display: String) -> Bool { output(display)?.1.paintings ?? 0 > 0 }

  /// Returns whether a display has a flip request whose result the director has not handled yet.
  func isAskingCard(_ display: String) -> Bool { output(display)?.1.permit.state.isResultPending ?? false }

  /// Returns the number of flips whose handling a display's painter has not reported yet.
  func flipsInHand(_ display: String) -> Int { output(display)?.1.permit.state.unreportedFlips ?? 0 }

  /// Sends the director a flip event without a request.
  func sendStrayFlip(on display: String) {
    guard let (managed, output) = output(display), let crtc = output.crtc else { return }
    heard(Flip(crtc: crtc, sequence: 1, time: 0), managed)
  }

  /// Returns how many frames of a display were requested.
  func paintRequests(_ display: String) -> Int { output(display)?.1.frames.wanted ?? 0 }

  /// Returns the content of the controller screen on a display; nil if the display shows another scene.
  func panel(beside display: String) -> ControllerPanel? {
    guard let (_, output) = output(display) else { return nil }
    if case .controller(let panel) = moment(of: output).view.content { return panel }
    return nil
  }

  /// Returns the content of the mirror on a display; nil if the display shows another scene.
  func mirror(_ display: String) -> MirroredView? {
    guard let (_, output) = output(display), case .mirror(let view) = moment(of: output).view.content else {
      return nil
    }
    return view
  }

  /// Returns the content of the identify screen on a display; nil if the display shows another scene.
  func identity(on display: String) -> IdentityPanel? {
    guard let (_, output) = output(display), case .identify(let panel) = moment(of: output).view.content else {
      return nil
    }
    return panel
  }

  /// The wall time in milliseconds at which the timer of scenes and messages is due; nil while it is not armed.
  var timerDue: Int64? { scenesDue?.wallTime }

  /// Returns whether a display has an animation, whether a timer is armed for it, and how many frames it missed.
  func motion(on display: String) -> (moves: Bool, isAwaited: Bool, missed: Int) {
    let output = output(display)?.1
    return (output?.moving != nil, output?.animationDue != nil, output?.moving?.motion.missed ?? 0)
  }

  /// Returns the view that a display shows, and the refresh rate of its mode.
  func seen(on display: String) -> (view: View, refresh: Int)? {
    output(display).map { (moment(of: $0.1).view, $0.1.refresh) }
  }

  /// Returns the time from which a display's pages turn.
  func pagesSince(_ display: String) -> Int64? { output(display)?.1.since }

  /// Sets the number of pages of the text on a display.
  func setPages(_ count: Int, on display: String) {
    output(display)?.1.showing.extent.pages = count
    output(display)?.1.painted.extent.pages = count
  }

  /// Returns the position of the text on a display; nil if the display shows another scene.
  func page(on display: String) -> Place? {
    guard let (_, output) = output(display), case .markdown(_, let place) = moment(of: output).view.content else {
      return nil
    }
    return place
  }

  /// The number of requests that wait for a flip.
  var waiting: Int { outputs.map(\.waiters.count).reduce(0, +) }
}

struct Serials {
  var own: Int
  var painters: Int
  var areEqual: Bool { own == painters }
}

extension Painter {
  fileprivate func serial(_ id: SurfaceID) -> Int { surfaces[id]?.serial ?? -1 }
}

extension Output {
  /// Whether it has no pending frame, flip or modeset.
  fileprivate var isResting: Bool {
    switch state {
    case .dark, .lost: !isInPlan
    case .lighting, .stalled: false
    case .lit: !isInPlan && frames.shown == frames.wanted && frames.state == .idle
    }
  }
}

extension Director {
  /// Sets the end of the pending mode on a display.
  func endPendingModeSoon(on display: String, at time: Int64) {
    output(display)?.1.pending?.until = time
    scheduleScenes()
  }
}
