import Control
import Displays
import Logging
import Ordering
import Outputs
import Scenes

extension Director {
  /// Sets the state of a display. Each change produces one log line and one event, with its time and reason.
  func enter(_ state: DisplayState, _ output: Output) {
    let before = output.state
    guard state != before else { return }
    if state.darkness == .asleep, before.darkness == .asleep {
      // Only the reason differs.
      output.state = state
      return
    }
    let isEnd = state.darkness != nil || state.isLost
    if isEnd { endEntry(of: output) }
    output.state = state
    if !output.isLit { stopMoving(output) }
    if !state.isSame(as: before) { output.stateSince = environment.wallClock() }
    environment.observer?.entered(state.word, output.name, reason: reason(of: output))
    note(
      state, of: output.name, with: state == .lit ? output.candidate?.mode.description : nil,
      isKnown: output.knows(state))
    if state.darkness == .asleep { emit(.asleep, output.name, detail: output.identity.label) }
    // Other displays show this state, and the state decides whether the content changes over time.
    redrawObservers(of: output)
    scheduleScenes()
    if isEnd { output.settle(.notShown(reason: reason(of: output) ?? "\(state)")) }
  }

  /// Logs the state of a display and sends its event. A state that the log already contains is logged at debug level.
  private func note(_ state: DisplayState, of display: String, with mode: String? = nil, isKnown: Bool = false) {
    logger.log(level: isKnown ? .debug : state.level, "\(display): \(state)\(mode.map { " at \($0)" } ?? "")")
    emit(.stateChanged, display, detail: "\(state)")
    if state.isTrouble, state.darkness != nil {
      emit(.dark, display, detail: state.reason)
    }
  }

  // MARK: Connectors without an output

  /// Records why connectors have no output, and since when.
  func noteBare(_ managed: ManagedCard, _ snapshot: CardSnapshot) {
    let now = environment.wallClock()
    var bare: [String: ManagedCard.Bare] = [:]
    for connector in snapshot.connectors where managed.outputs[connector.name] == nil && connector.kind.role != nil {
      let state = connector.bareState(beside: snapshot.connectors)
      let known = managed.bare[connector.name]
      bare[connector.name] = known?.state == state ? known : ManagedCard.Bare(state: state, since: now)
      // A connector that is empty at the start is not logged or sent. An unplug was reported with its output.
      if known?.state != state, state.darkness != .noMonitor || known != nil { note(state, of: connector.name) }
    }
    managed.bare = bare
  }

  /// Returns the report of a connector that has no output.
  func emptyReport(_ managed: ManagedCard, _ connector: ConnectorSnapshot) -> DisplayReport {
    let bare = managed.bare[connector.name]
    let state = bare?.state ?? connector.bareState(beside: managed.machine.snapshot?.connectors ?? [])
    return DisplayReport(
      name: connector.name, state: .init(state), reason: state.reason,
      cause: state.darkness.map(DisplayReport.Cause.init),
      since: bare.map { Timestamp(milliseconds: $0.since) }, role: .init(connector.kind.role),
      card: managed.card.path, driver: managed.machine.snapshot?.driver ?? "unknown",
      monitor: monitorName(managed, connector),
      identity: nil, mode: nil, width: 0, height: 0, scale: 1, message: nil,
      session: store.session(on: connector.name)?.id)
  }

  /// Returns the name of the monitor on a connector without an output, or of the last one if none is connected.
  private func monitorName(_ managed: ManagedCard, _ connector: ConnectorSnapshot) -> String? {
    let identity = MonitorIdentity(connector)
    guard connector.status != .connected else { return connector.edid.isEmpty ? nil : identity.label }
    return managed.lastMonitors[connector.name]
      ?? store.profiles.first { $0.display == nil && $0.place == identity.place }?.label
  }

  /// The displays that need a person's attention, sorted by name.
  var troubles: [(display: String, state: DisplayState)] {
    let bare = managedCards.values.flatMap { managed in managed.bare.map { (display: $0.key, state: $0.value.state) } }
    return (outputs.map { (display: $0.name, state: $0.state) } + bare).filter(\.state.isTrouble)
      .naturallySorted { $0.display }
  }

  // MARK: Lost displays

  /// The maximum number of displays of removed cards that are remembered.
  private static let mostLost = 16

  /// Remembers a display whose card is gone, until a probe finds the display or its monitor again.
  func rememberLost(_ managed: ManagedCard, _ output: Output) {
    lost[output.name] = LostDisplay(report: report(output), monitor: output.identity.text)
    let oldest = lost.min { $0.value.report.since?.milliseconds ?? 0 < $1.value.report.since?.milliseconds ?? 0 }
    if lost.count > Self.mostLost, let oldest { lost[oldest.key] = nil }
  }

  /// Removes the displays that a probe found from the lost ones, regardless of the connectors on which their monitors
  /// are now.
  func forgetLost(_ snapshot: CardSnapshot) {
    guard !lost.isEmpty else { return }
    for connector in snapshot.displays {
      lost[connector.name] = nil
      guard connector.status == .connected else { continue }
      let monitor = MonitorIdentity(connector).text
      lost = lost.filter { $0.value.monitor != monitor }
    }
  }
}

/// A display whose card is gone, with its last report.
struct LostDisplay {
  var report: DisplayReport
  /// The monitor's identity.
  var monitor: String
}

extension DisplayState {
  var isLost: Bool { if case .lost = self { true } else { false } }

  /// The log level of the state.
  fileprivate var level: Logger.Level {
    switch self {
    case .lighting, .lit, .dark(.asleep, _), .dark(.noMonitor, _), .dark(.leftAlone, _): .info
    case .dark, .stalled, .lost: .warning
    }
  }
}

extension ConnectorSnapshot {
  /// Returns the state of a connector without an output.
  fileprivate func bareState(beside others: [ConnectorSnapshot]) -> DisplayState {
    guard status == .connected else { return .dark(.noMonitor, reason: "nothing is plugged in") }
    if isNonDesktop { return .dark(.leftAlone, reason: "what is plugged in is head-mounted, and is left alone") }
    if let leader = leader(among: others) {
      return .dark(.leftAlone, reason: "a part of a monitor that \(leader.name) shows as a whole")
    }
    guard modes.isEmpty else {
      return .dark(.noMode, reason: modeRefusal ?? "a monitor is plugged in, and no mode is chosen yet")
    }
    return .dark(
      .noMode,
      reason: edid.isEmpty
        ? "a monitor is plugged in, but lists no modes; its EDID may be late"
        : "a monitor is plugged in, but its EDID lists no mode that the driver accepts")
  }
}
