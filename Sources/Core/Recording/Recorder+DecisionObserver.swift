package import Control
package import Configuration
package import Director
package import Displays
import Geometry

/// The recording of the director's decisions and of user requests, in addition to hardware events.
extension Recorder: DecisionObserver {
  /// Records a new monitor.
  ///
  /// - Parameters:
  ///   - connector: The monitor's connector.
  ///   - terms: The settings that apply to the monitor.
  package func met(_ connector: ConnectorSnapshot, _ terms: MonitorTerms) {
    let identity = MonitorIdentity(connector)
    note(
      met: .init(
        display: connector.name, monitor: "", place: identity.place, role: terms.role.rawValue,
        policy: "\(terms.policy)", rotation: terms.rotation.rawValue, asleep: terms.isAsleep,
        chosenMode: terms.chosenMode, chosenRotation: terms.chosenRotation?.rawValue),
      connector)
  }

  /// Records a display's new state.
  ///
  /// - Parameters:
  ///   - state: The state, such as `dark`, `lighting`, `lit` or `asleep`.
  ///   - display: The connector's name.
  ///   - reason: The reason for the state, if any.
  package func entered(_ state: String, _ display: String, reason: String?) {
    note(state: .init(display: display, state: state, reason: reason))
  }

  /// Records a request to begin or end sleep.
  ///
  /// - Parameter request: The request.
  package func asked(_ request: SleepRequest) {
    note(asked: .init(kind: request.asleep ? .sleep : .wake, display: request.display))
  }

  /// Records the beginning or end of host suspend.
  ///
  /// - Parameter sleeps: True if the host is about to suspend.
  package func asked(controllerSleeps sleeps: Bool) {
    note(asked: .init(kind: sleeps ? .controllerSleeps : .controllerWakes))
  }

  /// Records a request for a mode or a rotation.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - display: The connector's name.
  package func asked(_ request: ModeRequest, of display: String) {
    note(
      asked: .init(
        kind: .mode, display: display, mode: request.mode, rotation: request.rotation, keep: request.keep))
  }

  /// Records the confirmation of a pending mode change.
  ///
  /// - Parameter display: The connector's name.
  package func asked(confirming display: String) { note(asked: .init(kind: .confirm, display: display)) }

  /// Records a request for the previous mode.
  ///
  /// - Parameter display: The connector's name.
  package func asked(resetting display: String) { note(asked: .init(kind: .reset, display: display)) }

  /// Records new settings.
  ///
  /// - Parameter settings: The settings.
  package func asked(_ settings: Settings) { note(asked: .init(kind: .settings), settings) }
}
