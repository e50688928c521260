package import Control
import Displays
import Logging
import Scenes

extension Director {
  package func setAsleep(_ request: SleepRequest) async throws(ControlError) -> [DisplayReport] {
    environment.observer?.asked(request)
    let concerned =
      if let name = request.display { [try connected(name).1] } else { outputs }
    changeAtOnce { store, _ in
      for output in concerned { _ = store.setAsleep(request.asleep, on: output.name) }
      if request.display == nil, !request.asleep { store.wakeAbsent() }
    }
    controllerHold.override(concerned.map(\.name), isAwake: !request.asleep)
    follow(concerned)
    for (managed, _) in byCard(concerned) { await managed.idle() }
    if !request.asleep { for output in concerned { _ = await shown(output) } }
    await persistence.settled()
    return concerned.compactMap { output in self.output(output.name).map { report($0.1) } }
  }

  /// Handles a host suspend or a closed lid, or the end of either.
  ///
  /// External displays are asleep meanwhile, regardless of their own sleep state, which does not change. Each call also
  /// applies to displays that were woken by hand since the last call. It returns when the displays are dark or lit
  /// again.
  ///
  /// After a resume, all cards are probed and all modes are set again, because monitors can have been swapped without a
  /// hotplug event.
  ///
  /// - Parameter sleeps: True if the host is about to suspend or its lid was closed; false if that is over.
  package func controllerSleeps(_ sleeps: Bool) async {
    environment.observer?.asked(controllerSleeps: sleeps)
    holdCount += 1
    let (hold, wasAsleep) = (holdCount, controllerHold.isOn)
    if sleeps {
      controllerHold = ControllerHold(isOn: true)
      follow(outputs)
      for managed in managedCards.values { await managed.idle() }
    } else if wasAsleep {
      // Find out which monitors are connected now before any output is enabled.
      for managed in managedCards.values { await reconcile(managed) }
      guard hold == holdCount else { return }
      controllerHold = ControllerHold()
      follow(outputs)
      for managed in managedCards.values { await managed.idle() }
      // CLOCK_MONOTONIC and its timers stood still during the suspend.
      scheduleScenes()
    }
  }

  /// Returns whether the monitor of an output was put to sleep, or is asleep because of a host suspend.
  func isToSleep(_ output: Output) -> Bool { state(of: [output]).isToSleep(output.snapshot) }

}
