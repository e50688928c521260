import Control
import Displays
import NIOCore
import Scenes

@testable import Director
@testable import Outputs

/// What tests look at inside a director.
extension Director {
  /// Whether nothing is on its way to any display.
  var isResting: Bool { outputs.allSatisfy(\.isResting) }

  /// The report of a display.
  func display(_ name: String) -> DisplayReport? { displays().first { $0.name == name } }

  /// Probes all cards.
  func lookAtAll() async { for desk in desks.values { await reconcile(desk) } }

  /// Whether a card is being probed or changed.
  var isLooking: Bool { desks.values.contains { !$0.isIdle } }

  /// How many hints there were.
  var looksAsked: Int { desks.values.map(\.machine.hints).reduce(0, +) }

  /// Whether a display is to sleep.
  func isToSleep(_ display: String) -> Bool { output(display)?.1.wish?.sleepReason != nil }

  /// Whether each card will be probed without a hint, or is being probed.
  var isLookDue: Bool { desks.values.allSatisfy { $0.machine.retryDue != nil || !$0.isIdle } }

  /// How long each card waits for its next look, as far as it looks by itself.
  var waits: [Duration?] { desks.values.map(\.machine.retryDelay) }

  /// How many looks failed, at the card with the most.
  var mostRetries: Int { desks.values.map(\.machine.retries).max() ?? 0 }

  /// Pretends that so many looks failed.
  func countRetries(_ count: Int) { for desk in desks.values { desk.machine.retries = count } }

  /// Pretends that all looks for what may come late are over.
  func giveUpHope() { for desk in desks.values { desk.machine.retries = ProbeRetry.delays.count } }

  /// Whether all looks for what may come late are over.
  var isHopeless: Bool { desks.values.allSatisfy { $0.machine.retries >= ProbeRetry.delays.count } }

  /// Lets a display's flip come too late, and says whether all looks are over still: at once, before a mode is set anew.
  func isHopelessOnceStalled(_ display: String) -> Bool {
    for path in desks.keys { cardIsDue(path) }
    // Another mode is tried at once, or there is none.
    return output(display)?.1.isLit == false && isHopeless
  }

  /// Lets the time of a display's deadline pass.
  func deadlinePassed(_ display: String) {
    guard let (desk, _) = output(display) else { return }
    let others = desk.outputs.keys.filter { $0 != display }
    feed(.timePassed(except: postponeDeadlines(on: desk).union(others)), to: desk)
  }

  /// Begins anew to look for what may come late, however long the test has taken until now.
  func hopeAgain() {
    for desk in desks.values {
      desk.machine.renewHope()
      feed(.timePassed(), to: desk)
    }
  }

  /// Returns when the director has heard of all that painters have done until now.
  func hearPainters() async {
    for painter in painters { try? await painter.loop.submit {}.get() }
  }

  /// The number of the picture on a display's glass, by the director's count and by the painter's.
  func serials(on display: String) async -> Serials {
    guard let (_, output) = output(display), let surface = output.surface else { return Serials(own: 0, painters: -1) }
    return Serials(own: output.serial, painters: await output.painter.serial(surface))
  }

  /// Whether a flip came for a display that has not been dealt with.
  func isTakingFlip(_ display: String) -> Bool { output(display)?.1.isTakingFlip ?? false }

  /// Whether a flip may come too late for a display.
  func awaitsFlip(_ display: String) -> Bool {
    switch output(display)?.1.frames.state {
    case .waitingForFlip, .blocked: true
    default: false
    }
  }

  /// Whether the same painter serves two displays.
  func sharesPainter(_ display: String, with other: String) -> Bool {
    guard let (_, one) = output(display), let (_, two) = output(other) else { return false }
    return one.painter === two.painter
  }

  /// Whether a painter is at work on a display's picture.
  func isPainting(_ display: String) -> Bool { output(display)?.1.paintings ?? 0 > 0 }

  /// Whether a painter has asked the card for a display's picture, and the answer has not been dealt with.
  func isAskingCard(_ display: String) -> Bool { output(display)?.1.permit.state.isResultPending ?? false }

  /// How many flips went to a display's painter, and the director has not heard what became of them.
  func flipsInHand(_ display: String) -> Int { output(display)?.1.permit.state.unreportedFlips ?? 0 }

  /// Tells a flip that nobody asked for.
  func tellStrayFlip(on display: String) {
    guard let (desk, output) = output(display), let crtc = output.crtc else { return }
    heard(Flip(crtc: crtc, sequence: 1, time: 0), desk)
  }

  /// How often an output's picture was asked for.
  func drawings(_ display: String) -> Int { output(display)?.1.frames.wanted ?? 0 }

  /// What the controller's view lists, as it would be drawn beside a display.
  func panel(beside display: String) -> ControllerPanel? {
    guard let (_, output) = output(display) else { return nil }
    if case .controller(let panel) = moment(of: output).view.content { return panel }
    return nil
  }

  /// What a mirror on a display shows.
  func mirror(_ display: String) -> MirroredView? {
    guard let (_, output) = output(display), case .mirror(let view) = moment(of: output).view.content else {
      return nil
    }
    return view
  }

  /// What a display tells of itself.
  func identity(on display: String) -> IdentityPanel? {
    guard let (_, output) = output(display), case .identify(let panel) = moment(of: output).view.content else {
      return nil
    }
    return panel
  }

  /// When the timer of scenes and messages is due by the clock; nil while none is armed.
  var timerDue: Int64? { scenesDue?.wallTime }

  /// Whether something moves on a display, and how many of its pictures were missed.
  func motion(on display: String) -> (moves: Bool, isAwaited: Bool, missed: Int) {
    let output = output(display)?.1
    return (output?.moving != nil, output?.animationDue != nil, output?.moving?.motion.missed ?? 0)
  }

  /// What is seen of what a display shows, and how often its mode shows a picture.
  func seen(on display: String) -> (view: View, refresh: Int)? {
    output(display).map { (moment(of: $0.1).view, $0.1.refresh) }
  }

  /// What a display's pages are turned from.
  func turnsSince(_ display: String) -> Int64? { output(display)?.1.since }

  /// Pretends that what is on a display's glass has so many pages.
  func setPages(_ count: Int, on display: String) {
    output(display)?.1.showing.extent.pages = count
    output(display)?.1.painted.extent.pages = count
  }

  /// Where the pages of what a display shows are now.
  func page(on display: String) -> Place? {
    guard let (_, output) = output(display), case .markdown(_, let place) = moment(of: output).view.content else {
      return nil
    }
    return place
  }

  /// Whoever still waits for a flip.
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
  /// Whether nothing is on its way to its glass.
  fileprivate var isResting: Bool {
    switch state {
    case .dark, .lost: !isInPlan
    case .lighting, .stalled: false
    case .lit: !isInPlan && frames.shown == frames.wanted && frames.state == .idle
    }
  }
}

extension Director {
  /// Lets the trial on a display end at a time.
  func endTrialSoon(on display: String, at time: Int64) {
    output(display)?.1.trial?.until = time
    scheduleScenes()
  }
}
