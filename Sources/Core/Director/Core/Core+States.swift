import Control
import Displays
import Outputs
import Scenes

/// The states of displays.
extension Core {
  /// Sets the state of a display. Each change produces one log line and one event, with its time and reason.
  mutating func enter(_ state: DisplayState, _ id: OutputID) {
    guard let before = self[id]?.state, state != before else { return }
    if state.darkness == .asleep, before.darkness == .asleep {
      // Only the reason differs.
      return update(id) { $0.state = state }
    }
    let isEnd = state.darkness != nil || state.isLost
    if isEnd { endEntry(of: id) }
    let wall = now.wall
    var isKnown = false
    update(id) { output in
      output.state = state
      if state != .lit { (output.animationDue, output.checkDue, output.aheadDue) = (nil, nil, nil) }
      if !state.isSame(as: before) { output.stateSince = wall }
      isKnown = output.knows(state)
    }
    guard let output = self[id] else { return }
    let reason = self.state(of: []).reason(of: snapshot(of: output))
    if isObserved { emit(.observe(.entered(state.word, display: output.name, reason: reason))) }
    note(state, of: output.name, with: state == .lit ? candidate(of: id)?.mode.description : nil, isKnown: isKnown)
    if state.darkness == .asleep { send(.asleep, output.name, detail: output.identity.label) }
    // Other displays show this state, and the state decides whether the content changes over time.
    refresh(observers(of: id))
    scheduleScenes()
    if isEnd { emit(.settled(id, .notShown(reason: reason ?? "\(state)"), version: .max)) }
  }

  /// Logs the state of a display and sends its event. A state that the log already contains is logged at debug level.
  private mutating func note(
    _ state: DisplayState, of display: String, with mode: String? = nil, isKnown: Bool = false
  ) {
    log(isKnown ? .debug : state.level, "\(display): \(state)\(mode.map { " at \($0)" } ?? "")")
    send(.stateChanged, display, detail: "\(state)")
    if state.isTrouble, state.darkness != nil { send(.dark, display, detail: state.reason) }
  }

  // MARK: Connectors without an output

  /// Records why connectors have no output, and since when.
  mutating func noteBare(_ snapshot: CardSnapshot, on card: CardID) {
    guard let record = cards[card] else { return }
    var bare: [String: BareConnector] = [:]
    for connector in snapshot.connectors where record.outputs[connector.name] == nil && connector.kind.role != nil {
      let state = connector.bareState(beside: snapshot.connectors)
      let known = record.bare[connector.name]
      bare[connector.name] = known?.state == state ? known : BareConnector(state: state, since: now.wall)
      // A connector that is empty at the start is not logged or sent. An unplug was reported with its output.
      if known?.state != state, state.darkness != .noMonitor || known != nil { note(state, of: connector.name) }
    }
    cards[card]?.bare = bare
  }

  // MARK: Lost displays

  /// The maximum number of displays of removed cards that are remembered.
  private static let mostLost = 16

  /// Remembers a display whose card is gone, until a probe finds the display or its monitor again.
  mutating func rememberLost(_ output: OutputRecord) {
    let report = state.report(snapshot(of: output))
    lost[output.name] = LostDisplay(report: report, monitor: output.identity.text)
    let oldest = lost.min { $0.value.report.since?.milliseconds ?? 0 < $1.value.report.since?.milliseconds ?? 0 }
    if lost.count > Self.mostLost, let oldest { lost[oldest.key] = nil }
  }

  /// Removes the displays that a probe found from the lost ones, regardless of the connectors on which their monitors
  /// are now.
  mutating func forgetLost(_ snapshot: CardSnapshot) {
    guard !lost.isEmpty else { return }
    for connector in snapshot.displays {
      lost[connector.name] = nil
      guard connector.status == .connected else { continue }
      let monitor = MonitorIdentity(connector).text
      lost = lost.filter { $0.value.monitor != monitor }
    }
  }
}

extension DisplayState {
  /// The log level of the state.
  fileprivate var level: CoreEffect.LogLevel {
    switch self {
    case .lighting, .lit, .dark(.asleep, _), .dark(.noMonitor, _), .dark(.leftAlone, _): .info
    case .dark, .stalled, .lost: .warning
    }
  }
}
