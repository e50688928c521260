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
    if isEnd { chronicle.endEntry(of: output) }
    output.state = state
    if !output.isLit { stopMoving(output) }
    if !state.isSame(as: before) { output.stateSince = environment.wallClock() }
    environment.observer?.entered(state.word, output.name, reason: self.state.reason(of: output.snapshot))
    note(
      state, of: output.name, with: state == .lit ? output.candidate?.mode.description : nil,
      isKnown: output.knows(state))
    if state.darkness == .asleep { chronicle.emit(.asleep, output.name, detail: output.identity.label) }
    // Other displays show this state, and the state decides whether the content changes over time.
    redrawObservers(of: output)
    scheduleScenes()
    if isEnd { output.settle(.notShown(reason: self.state.reason(of: output.snapshot) ?? "\(state)")) }
  }

  /// Logs the state of a display and sends its event. A state that the log already contains is logged at debug level.
  private func note(_ state: DisplayState, of display: String, with mode: String? = nil, isKnown: Bool = false) {
    logger.log(level: isKnown ? .debug : state.level, "\(display): \(state)\(mode.map { " at \($0)" } ?? "")")
    chronicle.emit(.stateChanged, display, detail: "\(state)")
    if state.isTrouble, state.darkness != nil {
      chronicle.emit(.dark, display, detail: state.reason)
    }
  }

  // MARK: Connectors without an output

  /// Records why connectors have no output, and since when.
  func noteBare(_ managed: ManagedCard, _ snapshot: CardSnapshot) {
    let now = environment.wallClock()
    var bare: [String: BareConnector] = [:]
    for connector in snapshot.connectors where managed.outputs[connector.name] == nil && connector.kind.role != nil {
      let state = connector.bareState(beside: snapshot.connectors)
      let known = managed.bare[connector.name]
      bare[connector.name] = known?.state == state ? known : BareConnector(state: state, since: now)
      // A connector that is empty at the start is not logged or sent. An unplug was reported with its output.
      if known?.state != state, state.darkness != .noMonitor || known != nil { note(state, of: connector.name) }
    }
    managed.bare = bare
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

extension DisplayState {
  /// The log level of the state.
  fileprivate var level: Logger.Level {
    switch self {
    case .lighting, .lit, .dark(.asleep, _), .dark(.noMonitor, _), .dark(.leftAlone, _): .info
    case .dark, .stalled, .lost: .warning
    }
  }
}
