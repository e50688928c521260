import Configuration
import Control
import Displays
import Geometry
import Ordering
import Outputs
import Scenes

/// The reports on the service and its displays.
extension ServiceState {
  /// Returns the status of the whole service.
  ///
  /// - Parameters:
  ///   - kept: The state of the storage.
  ///   - problems: The problems of the process itself, one sentence each.
  /// - Returns: The status.
  func status(_ kept: PersistenceSummary, _ problems: [String]) -> ServiceStatus {
    ServiceStatus(
      version: facts.version, backend: facts.backend, pid: facts.pid, lit: outputs.count { $0.isLit },
      connected: outputs.count,
      problems: waitingReasons + troubles.map { "\($0.display): \($0.state.reason ?? $0.state.word)" } + lostPictures
        + losses.open.map(\.text) + kept.troubles + restartReasons + problems,
      storage: kept.words, address: address)
  }

  /// Returns the problems of the service, one sentence each with the next step.
  ///
  /// - Parameters:
  ///   - kept: The state of the storage.
  ///   - frozen: The render threads that make no progress, one sentence each.
  ///   - problems: The problems of the process itself, one sentence each.
  /// - Returns: The problems.
  func healthReasons(_ kept: PersistenceSummary, frozen: [String], _ problems: [String]) -> [String] {
    let dark = troubles.map { display, state in
      "\(display) is \(state)" + (output(display) == nil ? "" : "; `placard why \(display)` shows what was tried")
    }
    return waitingReasons + dark + frozen + lostPictures + losses.open.map(\.text) + kept.troubles + restartReasons
      + problems
  }

  /// The settings that need a restart, in a sentence.
  private var restartReasons: [String] {
    let keys = facts.firstSettings.restartKeys(for: settings)
    return keys.isEmpty ? [] : [Settings.restartReason(keys)]
  }

  /// The images that lit displays should show and do not show, one sentence each.
  private var lostPictures: [String] {
    outputs.filter(\.isLit).flatMap { output in output.showing.lostPictures.map { "\(output.name): \($0)" } }
  }

  /// The reasons why cards cannot be used for now, in the order of their paths.
  var waitingReasons: [String] { unopened.naturallySorted { $0.key }.map(\.value.card.reason) }

  /// The displays that need a person's attention, sorted by name.
  private var troubles: [(display: String, state: DisplayState)] {
    let bare = cards.flatMap { card in card.bare.map { (display: $0.key, state: $0.value.state) } }
    return (outputs.map { (display: $0.name, state: $0.state) } + bare).filter(\.state.isTrouble)
      .naturallySorted { $0.display }
  }

  // MARK: Displays

  /// Returns all connectors that can carry a display, connected ones first.
  func displays() -> [DisplayReport] {
    let empty = cards.flatMap { card in
      card.connectors.filter { output($0.name) == nil && $0.kind.role != nil }.map { report(card, $0) }
    }
    let waiting = waitingReports
    return (outputs.map(report) + waiting.filter { $0.state == .dark }).naturallySorted { $0.name }
      + (empty + waiting.filter { $0.state != .dark }).naturallySorted { $0.name }
      + lost.values.map(\.report).naturallySorted { $0.name }
  }

  /// Returns the report of an output.
  func report(_ output: OutputState) -> DisplayReport {
    let candidate = output.candidate
    let isDark = output.state.darkness.map { $0 != .asleep } ?? output.state.isLost
    let mounted = output.connector.orientation
    return DisplayReport(
      name: output.name, state: .init(output.state), reason: reason(of: output),
      cause: output.state.darkness.map(DisplayReport.Cause.init), since: Timestamp(milliseconds: output.since),
      role: .init(output.role), card: output.card, driver: output.driver ?? "unknown", monitor: output.identity.label,
      identity: output.identity.description, mode: isDark ? nil : candidate?.mode.description,
      width: isDark ? 0 : candidate?.mode.size.width ?? 0, height: isDark ? 0 : candidate?.mode.size.height ?? 0,
      scale: candidate?.scale ?? 1, message: output.isLit ? output.showing.words : nil,
      warnings: output.isLit ? warnings(of: output) : [], rotation: output.presentation.rotation.rawValue,
      modes: output.connector.modes.requestable.map(\.description), pending: pendingReport(output),
      isChosen: !choice(for: output).isEmpty, session: store.session(on: output.name)?.id,
      missedFrames: output.missedFrames, missedInARow: output.missedInARow,
      mounted: mounted == .none ? nil : mounted.rawValue,
      legibility: output.isLit ? output.legibility(of: output.showing.extent) : nil)
  }

  private func warnings(of output: OutputState) -> [String] {
    output.showing.warnings + [output.legibilityWarning(of: output.showing.extent)].compactMap(\.self)
  }

  /// Returns the report of an output's pending mode change, or nil if there is none.
  private func pendingReport(_ output: OutputState) -> PendingModeChange? {
    guard let pending = output.pending, let until = pending.until else { return nil }
    let isAnotherMode = pending.choice.mode != keptChoice(output).mode
    return PendingModeChange(
      mode: isAnotherMode ? pending.choice.mode : nil, rotation: output.presentation.rotation.rawValue,
      until: Timestamp(milliseconds: until))
  }

  /// Returns the report of a connector that has no output.
  private func report(_ card: CardState, _ connector: ConnectorSnapshot) -> DisplayReport {
    let bare = card.bare[connector.name]
    let state = bare?.state ?? connector.bareState(beside: card.connectors)
    return DisplayReport(
      name: connector.name, state: .init(state), reason: state.reason,
      cause: state.darkness.map(DisplayReport.Cause.init),
      since: bare.map { Timestamp(milliseconds: $0.since) }, role: .init(connector.kind.role), card: card.path,
      driver: card.driver ?? "unknown", monitor: monitorName(card, connector), identity: nil, mode: nil, width: 0,
      height: 0, scale: 1, message: nil, session: store.session(on: connector.name)?.id)
  }

  /// Returns the name of the monitor on a connector without an output, or of the last one if none is connected.
  private func monitorName(_ card: CardState, _ connector: ConnectorSnapshot) -> String? {
    let identity = MonitorIdentity(connector)
    guard connector.status != .connected else { return connector.edid.isEmpty ? nil : identity.label }
    return card.lastMonitors[connector.name]
      ?? store.profiles.first { $0.display == nil && $0.place == identity.place }?.label
  }

  // MARK: Cards that cannot be used

  /// The reports of connectors whose cards cannot be used for now.
  var waitingReports: [DisplayReport] {
    unopened.values.flatMap(\.reports).map { report in
      var report = report
      report.session = store.session(on: report.name)?.id
      return report
    }
  }

  /// Returns the report of a connector whose card cannot be used for now, or nil if there is no such connector.
  func waitingReport(of display: String) -> DisplayReport? { waitingReports.first { $0.name == display } }

  // MARK: Modes

  /// Returns how the mode of a display was chosen.
  ///
  /// - Parameter display: The connector's name.
  /// - Throws: `ControlError` if the display is unknown or not connected.
  /// - Returns: The policy and the mode, with the reasons for it and against each rejected mode.
  func why(_ display: String) throws(ControlError) -> WhyReport {
    let output = try connected(display)
    return WhyReport(
      display: display, policy: output.presentation.policy.description, mode: output.candidate?.mode.description,
      scale: output.candidate?.scale ?? 1,
      reasons: (output.choice?.reasons ?? []) + turnReasons(output) + output.presentation.reasons
        + [hoursReason(output), contentReason(output), output.legibilityReason].compactMap(\.self),
      rejected: (output.choice?.rejected ?? []).map { .init(mode: $0.mode.description, reason: $0.reason) },
      attempts: output.attempts.sentences)
  }

  private func turnReasons(_ output: OutputState) -> [String] {
    let (rotation, mounted) = (output.presentation.rotation, output.connector.orientation)
    let panel =
      mounted == .none
      ? []
      : [
        "its panel is mounted turned, as the kernel says: pictures are turned by \(mounted.rawValue) degrees clockwise"
      ]
    if rotation == .none || choice(for: output).rotation != nil { return panel }
    return panel + ["the settings turn pictures by \(rotation.rawValue) degrees clockwise"]
  }
}

extension DisplayState {
  /// Whether the card is gone.
  var isLost: Bool { if case .lost = self { true } else { false } }

  /// Whether the state needs a person's attention.
  var isTrouble: Bool {
    switch self {
    case .dark(.asleep, _), .dark(.noMonitor, _), .dark(.leftAlone, _), .lighting, .lit: false
    case .dark, .stalled, .lost: true
    }
  }
}

extension ConnectorSnapshot {
  /// Returns the state of a connector without an output.
  func bareState(beside others: [ConnectorSnapshot]) -> DisplayState {
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
