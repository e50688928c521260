package import Control
import Displays
import Logging
import Scenes

extension Director {
  /// Sends a display, or with nil all of them, to sleep or wakes it. The wish is the monitor's: it stays asleep when it
  /// drops off and announces itself again, as many do when their signal ends, and on another port, too.
  package func setAsleep(_ request: SleepRequest) async throws(ControlError) -> [DisplayReport] {
    environment.witness?.asked(request)
    let concerned =
      if let name = request.display { [try connected(name).1] } else { outputs }
    changeAtOnce { store, _ in
      for output in concerned { _ = store.setAsleep(request.asleep, on: output.name) }
      if request.display == nil, !request.asleep { store.wakeAbsent() }
    }
    controllerHold.override(concerned.map(\.name), isAwake: !request.asleep)
    follow(concerned)
    for (desk, _) in byCard(concerned) { await desk.idle() }
    if !request.asleep { for output in concerned { _ = await shown(output) } }
    await keeper.settled()
    return concerned.compactMap { output in self.output(output.name).map { report($0.1) } }
  }

  /// The machine that the displays are plugged into goes to sleep or its lid is closed, or that is over. External
  /// displays sleep meanwhile, whatever their own wish, which stays as it is. Each call counts for those that were woken
  /// by hand since the last one, too. Returns when the displays are dark, or lit again.
  ///
  /// After it all cards are probed anew, since monitors may have been swapped unheard, and modes are set anew.
  package func controllerSleeps(_ sleeps: Bool) async {
    environment.witness?.asked(controllerSleeps: sleeps)
    holdCount += 1
    let (hold, wasAsleep) = (holdCount, controllerHold.isOn)
    if sleeps {
      controllerHold = ControllerHold(isOn: true)
      follow(outputs)
      for desk in desks.values { await desk.idle() }
    } else if wasAsleep {
      // What is plugged in now is known before anything is lit.
      for desk in desks.values { await reconcile(desk) }
      guard hold == holdCount else { return }
      controllerHold = ControllerHold()
      follow(outputs)
      for desk in desks.values { await desk.idle() }
      // CLOCK_MONOTONIC stood still meanwhile, and timers with it.
      scheduleScenes()
    }
  }

  /// Whether the monitor of this output was sent to sleep, or sleeps with the controller.
  func isToSleep(_ output: Output) -> Bool {
    store.profile(on: output.name)?.isAsleep ?? false || controllerHold.holds(output)
  }

  /// Why a sleeping output sleeps, and what wakes it.
  func sleepReason(_ output: Output) -> String {
    let isOwnWish = store.profile(on: output.name)?.isAsleep ?? false
    let cause = controllerHold.holds(output) && !isOwnWish ? " while the machine sleeps or its lid is closed" : ""
    return "asleep\(cause); `placard wake \(output.name)` lights it"
  }
}

/// Whether external displays sleep because the machine does.
struct ControllerHold {
  /// Whether the machine sleeps or its lid is closed.
  var isOn = false
  /// Displays that were woken by hand since.
  private var awake: Set<String> = []

  /// What holds from an event on, for all displays.
  init(isOn: Bool = false) { self.isOn = isOn }

  /// Whether the output sleeps because of it.
  func holds(_ output: Output) -> Bool {
    isOn && output.connector.kind.role != .internal && !awake.contains(output.name)
  }

  /// Displays that were woken or sent to sleep by hand: until the next event that is what counts.
  mutating func override(_ displays: [String], isAwake: Bool) {
    guard isOn else { return }
    if isAwake { awake.formUnion(displays) } else { awake.subtract(displays) }
  }
}
