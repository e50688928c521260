package import Control
package import Configuration
package import Director
package import Displays
import Geometry

/// What the director decides goes into the recording beside what the hardware said.
extension Recorder: Witness {
  /// A monitor came.
  package func met(_ connector: ConnectorSnapshot, _ terms: MonitorTerms) {
    let identity = MonitorIdentity(connector)
    note(
      met: .init(
        display: connector.name, monitor: "", place: identity.place, role: terms.role.rawValue,
        policy: "\(terms.policy)", rotation: terms.rotation.rawValue, asleep: terms.isAsleep,
        chosenMode: terms.chosenMode, chosenRotation: terms.chosenRotation?.rawValue),
      connector)
  }

  /// A display is something else than before.
  package func entered(_ state: String, _ display: String, reason: String?) {
    note(state: .init(display: display, state: state, reason: reason))
  }

  /// Somebody asked for sleep, or for its end.
  package func asked(_ request: SleepRequest) {
    note(asked: .init(kind: request.asleep ? .sleep : .wake, display: request.display))
  }

  /// The machine goes to sleep, or that is over.
  package func asked(controllerSleeps sleeps: Bool) {
    note(asked: .init(kind: sleeps ? .controllerSleeps : .controllerWakes))
  }

  /// Somebody asked for a mode or a turn.
  package func asked(_ request: ModeRequest, of display: String) {
    note(
      asked: .init(
        kind: .mode, display: display, mode: request.mode, rotation: request.rotation, keep: request.keep))
  }

  /// Somebody keeps the mode that is on trial.
  package func asked(confirming display: String) { note(asked: .init(kind: .confirm, display: display)) }

  /// Somebody wants the mode of before.
  package func asked(resetting display: String) { note(asked: .init(kind: .reset, display: display)) }

  /// There are other settings.
  package func asked(_ settings: Settings) { note(asked: .init(kind: .settings), settings) }
}
