package import Control
import Displays
import Logging
import Scenes

extension Director {
  package func setAsleep(_ request: SleepRequest) async throws(ControlError) -> [DisplayReport] {
    environment.observer?.asked(request)
    let concerned = if let name = request.display { [try connected(name)] } else { core.outputs.map(\.id) }
    step { $0.setAsleep(concerned, request.asleep, areAll: request.display == nil) }
    for managed in presentCards where concerned.contains(where: { $0.card == managed.id }) { await idle(managed) }
    if !request.asleep { for id in concerned { _ = await shown(id) } }
    await persistence.settled()
    return reports(concerned)
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
    let (hold, wasAsleep) = (holdCount, core.hold.isOn)
    if sleeps {
      step { $0.setHold(true) }
    } else if wasAsleep {
      // Find out which monitors are connected now before any output is enabled.
      for managed in presentCards { await reconcile(managed) }
      guard hold == holdCount else { return }
      step { $0.setHold(false) }
    }
    for managed in presentCards { await idle(managed) }
  }
}
