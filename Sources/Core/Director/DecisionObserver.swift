package import Configuration
package import Control
package import Displays
package import Geometry
import Scenes

/// A decision observer, which receives decisions, and user requests that affect modes and sleep: the interface to a
/// recording. Each call returns quickly, and precedes its consequences.
package protocol DecisionObserver: Sendable {
  /// Reports a new monitor.
  ///
  /// - Parameters:
  ///   - connector: The monitor's connector.
  ///   - terms: The settings that apply to the monitor.
  func met(_ connector: ConnectorSnapshot, _ terms: MonitorTerms)
  /// Reports a display's new state.
  ///
  /// - Parameters:
  ///   - state: The state, such as `dark`, `lighting`, `lit` or `asleep`.
  ///   - display: The connector's name.
  ///   - reason: The reason for the state, if any.
  func entered(_ state: String, _ display: String, reason: String?)
  /// Reports a request to begin or end sleep.
  ///
  /// - Parameter request: The request.
  func asked(_ request: SleepRequest)
  /// Reports the beginning or end of host suspend.
  ///
  /// - Parameter sleeps: True if the host is about to suspend.
  func asked(controllerSleeps sleeps: Bool)
  /// Reports a request for a mode or a rotation.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - display: The connector's name.
  func asked(_ request: ModeRequest, of display: String)
  /// Reports the confirmation of a pending mode change.
  ///
  /// - Parameter display: The connector's name.
  func asked(confirming display: String)
  /// Reports a request for the previous mode.
  ///
  /// - Parameter display: The connector's name.
  func asked(resetting display: String)
  /// Reports new settings.
  ///
  /// - Parameter settings: The settings.
  func asked(_ settings: Settings)
}

/// The settings and stored choices that apply to a new monitor.
package struct MonitorTerms: Hashable, Sendable {
  /// The role of the display.
  package var role: Role
  /// The policy that chooses its mode.
  package var policy: ModePolicy
  /// The rotation of its frames.
  package var rotation: Rotation
  /// Whether it was put to sleep before.
  package var isAsleep: Bool
  /// The mode that was chosen by remote control before.
  package var chosenMode: String?
  /// The rotation that was chosen by remote control before.
  package var chosenRotation: Rotation?
}
