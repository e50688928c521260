import Control
import Displays
import NIOCore
import Scenes

@testable import Director
@testable import Outputs

/// The state inside a director that tests inspect, and changes to it.
extension Director {
  /// Whether no display has a pending frame, flip or modeset.
  var isResting: Bool { core.outputs.allSatisfy { core.isResting($0.id) } }

  /// Returns the report of a display.
  func display(_ name: String) -> DisplayReport? { displays().first { $0.name == name } }

  /// Probes all cards.
  func probeAll() async { for managed in presentCards { await reconcile(managed) } }

  /// Whether a card is being probed or changed.
  var isProbing: Bool { core.presentCards.contains { !core.isIdle($0.id) } }

  /// The number of hotplug events so far.
  var hotplugEvents: Int { core.presentCards.map(\.machine.hints).reduce(0, +) }

  /// Returns whether a display is requested to sleep.
  func isToSleep(_ display: String) -> Bool { core.output(named: display)?.wish?.sleepReason != nil }

  /// Whether each card is being probed, or will be without a hotplug event.
  var isProbeDue: Bool { core.presentCards.allSatisfy { $0.machine.retryDue != nil || !core.isIdle($0.id) } }

  /// The displays that are neither lit nor being lit while no probe of their card is due.
  ///
  /// A retry may begin between two reads of the director, so that only one read can tell.
  var forgottenDisplays: [String] {
    core.outputs.filter { output in
      switch output.state {
      case .lit, .lighting, .stalled: return false
      case .dark, .lost: break
      }
      let card = output.id.card
      return core.isIdle(card) && core.cards[card]?.machine.retryDue == nil
    }.map { "\($0.id.name) \($0.state)" }
  }

  /// The delay of each card until the next retried probe; nil if no retry is due.
  var retryDelays: [Duration?] { core.presentCards.map(\.machine.retryDelay) }

  /// The number of failed probes of the card with the most.
  var mostRetries: Int { core.presentCards.map(\.machine.retries).max() ?? 0 }

  /// Sets the number of failed probes of each card.
  func countRetries(_ count: Int) { for card in core.presentCards { core.cards[card.id]?.machine.retries = count } }

  /// Uses up the retry budget of each card.
  func exhaustRetryBudget() { countRetries(ProbeRetry.delays.count) }

  /// Whether the retry budget of each card is used up.
  var isRetryBudgetExhausted: Bool { core.presentCards.allSatisfy { $0.machine.retries >= ProbeRetry.delays.count } }

  /// Lets a display stall, and returns whether the retry budgets are still used up before the next modeset.
  func isBudgetExhaustedAfterStall(_ display: String) -> Bool {
    for card in core.presentCards { perform(.card(path: card.path)) }
    // The director tries another mode immediately, or has none.
    return core.output(named: display)?.isLit == false && isRetryBudgetExhausted
  }

  /// Lets the time of the check of a display's first frames come.
  func firstFrameIsDue(_ display: String) { perform(.firstFrame(display: display)) }

  /// Lets the deadline of a display pass.
  func deadlinePassed(_ display: String) {
    guard let id = core.output(named: display)?.id else { return }
    let activity = handles.mapValues(\.activity)
    step { core in
      let others = core.cards[id.card]?.outputs.keys.filter { $0 != display } ?? []
      core.feed(.timePassed(except: core.postponeDeadlines(on: id.card, activity).union(others)), to: id.card)
    }
  }

  /// Renews the retry budget of each card, which a slow test may have used up.
  func renewRetryBudget() {
    for card in core.presentCards {
      core.cards[card.id]?.machine.renewRetryBudget()
      step { $0.feed(.timePassed(), to: card.id) }
    }
  }

  /// Waits until the director has received the painters' reports about all their work so far.
  func waitForPainters() async {
    for painter in painters { try? await painter.loop.submit {}.get() }
  }

  /// Returns the number of the frame on a display, as the director and as the painter count it.
  func serials(on display: String) async -> Serials {
    guard let output = core.output(named: display), let surface = core.surface(of: output.id),
      let painter = handle(display)?.painter
    else { return Serials(own: 0, painters: -1) }
    return Serials(own: output.serial, painters: await painter.serial(surface))
  }

  /// Returns whether a display has a flip that the director has not handled yet.
  func isTakingFlip(_ display: String) -> Bool { handle(display)?.isTakingFlip ?? false }

  /// Returns whether a display waits for a flip, which may be late.
  func awaitsFlip(_ display: String) -> Bool {
    switch core.output(named: display).map({ core.frames(of: $0.id).state }) {
    case .waitingForFlip, .blocked: true
    default: false
    }
  }

  /// Returns whether two displays have the same painter.
  func sharesPainter(_ display: String, with other: String) -> Bool {
    guard let one = core.output(named: display), let two = core.output(named: other) else { return false }
    return one.painter == two.painter
  }

  /// Returns whether a painter paints a frame of a display.
  func isPainting(_ display: String) -> Bool { handle(display)?.paintings ?? 0 > 0 }

  /// Returns whether a display has a flip request whose result the director has not handled yet.
  func isAskingCard(_ display: String) -> Bool {
    handle(display)?.permit.state.isResultPending ?? false
  }

  /// Returns whether content was offered to the painter for the next frame of an animation.
  func hasOffered(_ display: String) -> Bool { core.output(named: display)?.offered != nil }

  /// Returns the number of flips whose handling a display's painter has not reported yet.
  func flipsInHand(_ display: String) -> Int { handle(display)?.permit.state.unreportedFlips ?? 0 }

  /// Sends the director a flip event without a request.
  func sendStrayFlip(on display: String) {
    guard let handle = handle(display), let crtc = core.machine(of: handle.id)?.crtc else { return }
    heard(Flip(crtc: crtc, sequence: 1, time: 0), handle.card)
  }

  /// Returns how many frames of a display were requested.
  func paintRequests(_ display: String) -> Int {
    core.output(named: display).map { core.frames(of: $0.id).wanted } ?? 0
  }

  /// Returns the content of the controller screen on a display; nil if the display shows another scene.
  func panel(beside display: String) -> ControllerPanel? {
    guard let moment = moment(of: display) else { return nil }
    if case .controller(let panel) = moment.view.content { return panel }
    return nil
  }

  /// Returns the content of the mirror on a display; nil if the display shows another scene.
  func mirror(_ display: String) -> MirroredView? {
    guard let moment = moment(of: display), case .mirror(let view) = moment.view.content else { return nil }
    return view
  }

  /// Returns the content of the identify screen on a display; nil if the display shows another scene.
  func identity(on display: String) -> IdentityPanel? {
    guard let moment = moment(of: display), case .identify(let panel) = moment.view.content else { return nil }
    return panel
  }

  /// The wall time in milliseconds at which the timer of scenes and messages is due; nil while it is not armed.
  var timerDue: Int64? { core.scenesDue?.wallTime }

  /// Returns whether a display has an animation, whether a timer is armed for it, and how many frames it missed.
  func motion(on display: String) -> (moves: Bool, isAwaited: Bool, missed: Int) {
    let output = core.output(named: display)
    return (output?.moving != nil, output?.animationDue != nil, output?.moving?.motion.missed ?? 0)
  }

  /// Returns the view that a display shows, and the refresh rate of its mode.
  func seen(on display: String) -> (view: View, refresh: Int)? {
    guard let output = core.output(named: display), let moment = moment(of: display) else { return nil }
    return (moment.view, core.candidate(of: output.id)?.mode.refresh ?? 0)
  }

  /// Returns the time from which a display's pages turn.
  func pagesSince(_ display: String) -> Int64? { core.output(named: display)?.since }

  /// Sets the number of pages of the text on a display.
  func setPages(_ count: Int, on display: String) {
    guard let id = core.output(named: display)?.id else { return }
    core.update(id) { output in
      output.showing.extent.pages = count
      output.painted.extent.pages = count
    }
  }

  /// Returns the position of the text on a display; nil if the display shows another scene.
  func page(on display: String) -> Place? {
    guard let moment = moment(of: display), case .markdown(_, let place) = moment.view.content else { return nil }
    return place
  }

  /// The number of requests that wait for a flip.
  var waiting: Int { handles.values.map(\.waiters.count).reduce(0, +) }

  private func handle(_ display: String) -> OutputHandle? {
    core.output(named: display).flatMap { handles[$0.id] }
  }

  private func moment(of display: String) -> ResolvedScene? {
    core.now = instant
    return core.output(named: display).map { core.moment(of: $0) }
  }

  /// Requests a display's newest content again.
  func redraw(_ display: String) { if let id = core.output(named: display)?.id { step { $0.redraw(id) } } }
}

struct Serials {
  var own: Int
  var painters: Int
  var areEqual: Bool { own == painters }
}

extension Painter {
  fileprivate func serial(_ id: SurfaceID) -> Int { surfaces[id]?.serial ?? -1 }
}

extension Core {
  /// Returns whether an output has no pending frame, flip or modeset.
  fileprivate func isResting(_ id: OutputID) -> Bool {
    let isInPlan = cards[id.card]?.machine.isInPlan(id.name) ?? false
    let frames = frames(of: id)
    return switch self[id]?.state {
    case .dark, .lost, nil: !isInPlan
    case .lighting, .stalled: false
    case .lit: !isInPlan && frames.shown == frames.wanted && frames.state == .idle
    }
  }
}

extension Director {
  /// Sets the end of the pending mode on a display.
  func endPendingModeSoon(on display: String, at time: Int64) {
    guard let id = core.output(named: display)?.id else { return }
    step { core in
      core.update(id) { $0.pending?.until = time }
      core.scheduleScenes()
    }
  }

  /// Reverts the pending mode changes whose time is over, and waits until the previous modes are set.
  func endPendingModes() async {
    let now = environment.wallClock()
    for output in core.outputs where output.pending?.until.map({ $0 <= now }) ?? false {
      step { $0.takeBack(output.id) }
      await followChoice(output.id)
    }
  }

  /// Handles everything that is due by the wall clock.
  func momentCame() { clockWasSet() }
}
