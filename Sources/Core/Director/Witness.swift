package import Configuration
package import Control
package import Displays
package import Geometry
import Scenes

/// Hears what is decided, and what people ask for that modes and sleep depend on: the seam to a recording. Each call is
/// short, and comes before what follows from it.
package protocol Witness: Sendable {
  /// A monitor was plugged in.
  func met(_ connector: ConnectorSnapshot, _ terms: MonitorTerms)
  /// A display is something else than before: `dark`, `lighting`, `lit`, `asleep`.
  func entered(_ state: String, _ display: String, reason: String?)
  /// Somebody asked for sleep, or for its end.
  func asked(_ request: SleepRequest)
  /// The machine goes to sleep, or that is over.
  func asked(controllerSleeps sleeps: Bool)
  /// Somebody asked for a mode or a turn.
  func asked(_ request: ModeRequest, of display: String)
  /// Somebody keeps the mode that is on trial.
  func asked(confirming display: String)
  /// Somebody wants the mode of before.
  func asked(resetting display: String)
  /// There are other settings.
  func asked(_ settings: Settings)
}

/// What the settings, and what was kept for it, make of a monitor that came.
package struct MonitorTerms: Hashable, Sendable {
  /// What the display is for.
  package var role: Role
  /// How its mode is chosen.
  package var policy: ModePolicy
  /// How its pictures are turned.
  package var rotation: Rotation
  /// Whether it was sent to sleep before.
  package var isAsleep: Bool
  /// The mode that was chosen for it by remote control before.
  package var chosenMode: String?
  /// The turn that was chosen for it by remote control before.
  package var chosenRotation: Rotation?
}

extension Director {
  /// Tells the witness of a monitor that came.
  func introduce(_ output: Output) {
    guard let witness = environment.witness else { return }
    let seat = store.profile(on: output.name)
    witness.met(
      output.connector,
      MonitorTerms(
        role: output.connector.kind.role ?? .external, policy: output.presentation.policy,
        rotation: output.presentation.rotation, isAsleep: seat?.isAsleep ?? false, chosenMode: seat?.choice.mode,
        chosenRotation: seat?.choice.rotation))
  }
}
