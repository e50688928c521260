import Configuration
import Control
import Displays
import Geometry
import Ordering
import Outputs
import Scenes
import Schedules

/// The state of the whole service at one time, from which the reports, the reasons and the views of scenes derive.
///
/// Everything here is a value or a pure function of it, apart from the time zones, which are read from files.
struct ServiceState {
  /// The facts about the service that do not change while it runs.
  struct Facts {
    var backend = ServiceStatus.Backend.virtual
    var version = ""
    var pid: Int32 = 0
    /// The scene of displays without a message, a session or a configured scene; nil for the plain background.
    var greeting: Scene?
    /// The host's name; nil if it has none.
    var host: String?
    /// The settings at the start.
    var firstSettings = Settings()
  }

  var sharedFacts = Shared(Facts())
  var sharedSettings = Shared(Settings())
  var store = SessionModel()
  var hold = ControllerHold()
  /// The displays that were woken outside their hours, with the time until which they stay lit, in milliseconds since
  /// 1970.
  var wokenUntil: [String: Int64] = [:]
  /// The connected monitors, sorted by name.
  var outputs: [OutputState] = []
  var cards: [CardState] = []
  /// The cards that cannot be used for now, by path.
  var unopened: [String: UnopenedCard] = [:]
  /// The displays whose card is gone, by name.
  var lost: [String: LostDisplay] = [:]
  var losses = Losses()
  /// The web page's address; nil if there is none.
  var address: String?
  var zones = ZoneCache()
  /// The current time, in milliseconds since 1970.
  var now: Int64 = 0

  var facts: Facts { sharedFacts.value }
  var settings: Settings { sharedSettings.value }

  /// Returns the output with a name, or nil.
  func output(_ name: String) -> OutputState? { outputs.first { $0.name == name } }

  // MARK: Displays by name

  /// Throws if there is no connector with a name.
  func mustBeKnown(_ display: String) throws(ControlError) {
    let isKnown =
      output(display) != nil || cards.contains { card in card.connectors.contains { $0.name == display } }
      || waitingReport(of: display) != nil
    guard !isKnown else { return }
    if let gone = lost[display]?.report.reason { throw ControlError(.conflict, "\(display) is lost: \(gone)") }
    throw .unknownDisplay(display, known: displays().map(\.name))
  }

  /// Returns the output with a name, or throws why there is none.
  func connected(_ display: String) throws(ControlError) -> OutputState {
    if let output = output(display) { return output }
    try mustBeKnown(display)
    let reason =
      cards.lazy.compactMap { $0.bare[display]?.state.reason }.first ?? waitingReport(of: display)?.reason
      ?? "nothing is plugged in"
    throw ControlError(.conflict, "\(display): \(reason)")
  }

  /// Returns the error for an output that shows no frame.
  func notLit(_ output: OutputState) -> ControlError {
    ControlError(.conflict, "\(output.name) is not lit: \(reason(of: output) ?? "its first frame is on the way")")
  }

  // MARK: Sleep

  /// Returns whether the monitor of an output was put to sleep, or is asleep because of a host suspend.
  func isToSleep(_ output: OutputState) -> Bool {
    store.profile(on: output.name)?.isAsleep ?? false || hold.holds(output.name, output.role) || isClosed(output)
  }

  /// Returns whether an output is outside its hours, and was not woken by hand since they ended.
  func isClosed(_ output: OutputState) -> Bool {
    guard let hours = output.presentation.hours, wokenUntil[output.name].map({ $0 <= now }) ?? true else {
      return false
    }
    return !hours.isOpen(at: now / 1000, in: zones[hours.zone].zone)
  }

  /// Returns the next time at which the hours of an output begin or end, in milliseconds since 1970; nil if it has none,
  /// or if they never do.
  func nextHours(_ output: OutputState) -> Int64? {
    guard let hours = output.presentation.hours else { return nil }
    return hours.nextChange(after: now / 1000, in: zones[hours.zone].zone).map { $0 * 1000 }
  }

  /// Returns the hours of an output in a sentence, with their next change; nil if it has none.
  func hoursReason(_ output: OutputState) -> String? {
    guard let hours = output.presentation.hours else { return nil }
    let zone = hours.zone.map { " in \($0)" } ?? ""
    let state = hours.isOpen(at: now / 1000, in: zones[hours.zone].zone) ? "lit" : "asleep"
    let until = nextHours(output).map { " until \(zones.clock($0, now: now, in: hours.zone))" } ?? ""
    return "its hours are \(hours.text)\(zone): \(state)\(until)"
  }

  /// Returns why a sleeping output is asleep, and how to wake it.
  func sleepReason(_ output: OutputState) -> String {
    let isOwnWish = store.profile(on: output.name)?.isAsleep ?? false
    let isHeld = hold.holds(output.name, output.role) && !isOwnWish
    let cause =
      if isHeld {
        " while the machine sleeps or its lid is closed"
      } else if !isOwnWish, let hours = output.presentation.hours, isClosed(output) {
        " outside its hours (\(hours.text))"
          + (nextHours(output).map { ", until \(zones.clock($0, now: now, in: hours.zone))" } ?? "")
      } else {
        ""
      }
    return "asleep\(cause); `placard wake \(output.name)` lights it"
  }

  /// Returns why an output shows nothing or nothing new, or nil while it is lit or about to be. The reason for sleep is
  /// computed anew, because the way to wake the display can have changed since it fell asleep.
  func reason(of output: OutputState) -> String? { output.isAsleep ? sleepReason(output) : output.state.reason }

  /// Returns why no further flip of an output can arrive, or nil if one may arrive.
  func endReason(of output: OutputState) -> String? {
    switch output.state {
    case .dark, .lost: reason(of: output)
    case .lighting, .lit, .stalled: nil
    }
  }

  /// Returns the state that an output should be in, with the number of its content.
  func wish(of output: OutputState, content: Int) -> OutputWish {
    OutputWish(
      policy: output.presentation.policy, sleepReason: isToSleep(output) ? sleepReason(output) : nil, content: content)
  }

  // MARK: Choices

  /// Returns the choice that overrides the settings for an output's monitor: the pending one, or else the stored one.
  func choice(for output: OutputState) -> MonitorChoice { output.pending?.choice ?? keptChoice(output) }

  /// Returns the stored choice for an output's monitor.
  func keptChoice(_ output: OutputState) -> MonitorChoice {
    store.profile(on: output.name)?.choice ?? MonitorChoice()
  }

  /// Returns the presentation of an output's monitor: the settings, overridden by what was chosen for the monitor.
  func presentation(of output: OutputState) -> Presentation {
    var presentation = settings.presentation(for: output.identity, role: output.role)
    let choice = choice(for: output)
    guard let words = choice.words else { return presentation }
    presentation.policy = choice.mode.flatMap(ModePolicy.init(parsing:)) ?? presentation.policy
    presentation.rotation = choice.rotation ?? presentation.rotation
    let reason =
      output.pending == nil
      ? "was chosen for this monitor by remote control, and goes before the settings; "
        + "`placard mode \(output.name) --reset` undoes that"
      : "is pending on this monitor; `placard mode \(output.name) --confirm` keeps it, otherwise it is reverted"
    presentation.reasons.append("\(words) \(reason)")
    return presentation
  }
}

extension MonitorChoice {
  /// The choice in words, such as `1920x1080@60, turned by 90 degrees`; nil if nothing was chosen.
  var words: String? {
    let turn = rotation.map { $0 == .none ? "not turned" : "turned by \($0.rawValue) degrees" }
    let parts = [mode, turn].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
