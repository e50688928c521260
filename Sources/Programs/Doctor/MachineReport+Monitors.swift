import Control
import Displays

extension MachineReport {
  /// Returns the service's report of a connector.
  private func report(_ card: CardState, _ connector: ConnectorState) -> DisplayReport? {
    view?.displays.first { $0.card == card.node && $0.name == connector.name }
  }

  /// The connectors with a monitor, according to the kernel.
  private var connected: [(card: CardState, connector: ConnectorState)] {
    cards.flatMap { card in card.connectors.filter(\.isConnected).map { (card, $0) } }
  }

  // MARK: Connectors

  func connectorFindings() -> [Finding] {
    if isVirtual { return virtualConnectorFindings() }
    let lost = view?.displays.filter { $0.state == .lost }.map(lostFinding) ?? []
    guard !cards.isEmpty else { return lost + [.unseen(.connectors, nil, "there is no card to plug a monitor into")] }
    guard !connected.isEmpty else { return lost + [noMonitorFinding()] }
    return lost + connected.map { connectorFinding($0.card, $0.connector) }
  }

  private func lostFinding(_ report: DisplayReport) -> Finding {
    Finding(
      .connectors, .note, "card-lost", report.name, "\(report.name) is lost: \(report.reason ?? "its card is gone")",
      fix: "plug its card in again, or look in the kernel's log", command: "sudo dmesg | tail -50")
  }

  private func noMonitorFinding() -> Finding {
    let names = cards.flatMap { card in card.connectors.map { (card, $0.name) } }
    let place = names.first.map { "/sys/class/drm/\($0.0.name)-\($0.1)/status" }
    let list = names.map(\.1).joined(separator: ", ")
    return Finding(
      .connectors, .wrong, "no-monitor", nil,
      names.isEmpty ? "no card has a connector" : "no monitor is detected on any connector: \(list)",
      fix: "check the cable, and that the monitor is on and set to this input; then make the kernel probe again",
      command: place.map { "echo detect | sudo tee \($0)" })
  }

  private func connectorFinding(_ card: CardState, _ connector: ConnectorState) -> Finding {
    let name = connector.name
    guard let report = report(card, connector) else {
      return .ok(.connectors, name, "\(name): a monitor is plugged in")
    }
    switch report.state {
    case .disconnected:
      return Finding(
        .connectors, .wrong, "plug-missed", name, "the kernel detects a monitor on \(name), but the service does not",
        fix: "restart the service, and please report this with its log", command: "sudo systemctl restart placard")
    case .asleep:
      return asleep(report)
    default:
      return .ok(
        .connectors, name, "\(name): \(report.monitor ?? "a monitor") is plugged in (\(report.state.rawValue))")
    }
  }

  private func asleep(_ report: DisplayReport) -> Finding {
    Finding(
      .connectors, .note, "asleep", report.name,
      "\(report.name) is asleep: \(report.reason ?? "on request")",
      fix: "wake it", command: "placard wake \(report.name)")
  }

  private func virtualConnectorFindings() -> [Finding] {
    let plugged = view?.displays.filter { $0.state != .disconnected } ?? []
    guard !plugged.isEmpty else {
      return [
        Finding(
          .connectors, .wrong, "no-monitor", nil, "no virtual monitor is plugged in", fix: "plug one in",
          command: "placard plug 1920x1080")
      ]
    }
    return plugged.map { report in
      report.state == .asleep
        ? asleep(report) : .ok(.connectors, report.name, "\(report.name): plugged in (\(report.state.rawValue))")
    }
  }

  // MARK: EDID

  func edidFindings() -> [Finding] {
    if isVirtual { return [.ok(.edid, nil, "virtual monitors have the EDID that they were plugged in with")] }
    guard !connected.isEmpty else { return [.unseen(.edid, nil, "no monitor is plugged in")] }
    return connected.flatMap { edidFindings($0.card, $0.connector) }
  }

  private func edidFindings(_ card: CardState, _ connector: ConnectorState) -> [Finding] {
    let found = edidFinding(connector, isLit: report(card, connector)?.state == .lit)
    guard connector.isOverridden else { return [found] }
    return [
      found,
      Finding(
        .edid, .note, "edid-override", connector.name,
        "the EDID of \(connector.name) is an override in debugfs, not the monitor's own",
        fix: "remove the override, and plug the monitor in again",
        command:
          "echo reset | sudo tee /sys/kernel/debug/dri/\(card.node.filter(\.isNumber))/\(connector.name)/edid_override"),
    ]
  }

  private func edidFinding(_ connector: ConnectorState, isLit: Bool) -> Finding {
    let name = connector.name
    let fix =
      "try another cable, port or adapter; or save the monitor's EDID as /lib/firmware/edid/monitor.bin and start the"
      + " kernel with drm.edid_firmware=\(name):edid/monitor.bin"
    guard !connector.edid.isEmpty else {
      return Finding(
        .edid, isLit ? .note : .wrong, "no-edid", name,
        "\(name) has a monitor, but no EDID was read from it: its modes are guesses", fix: fix,
        command: "placard why \(name)")
    }
    let report = EDIDReport(connector.edid)
    if let error = report.error {
      return Finding(.edid, isLit ? .note : .wrong, "bad-edid", name, "\(name): \(error)", fix: fix)
    }
    if report.edid?.isDegraded == true {
      return Finding(
        .edid, .note, "bad-edid", name, "\(name): the EDID has a wrong checksum: its contents may be wrong", fix: fix)
    }
    return .ok(.edid, name, "\(name): \(report.identity.label)")
  }

  // MARK: Mode

  func modeFindings() -> [Finding] {
    guard let view else { return [.unseen(.mode, nil, "only the service knows which modes were tried")] }
    let plugged = view.displays.filter { ![.disconnected, .asleep, .lost].contains($0.state) }
    guard !plugged.isEmpty else { return [.unseen(.mode, nil, "no display is plugged in and awake")] }
    return plugged.flatMap { modeFindings($0, view.reasons[$0.name]) }
  }

  private func modeFindings(_ report: DisplayReport, _ why: WhyReport?) -> [Finding] {
    // Reasons about the mode that is now set are not refusals.
    let kept = report.state == .dark ? nil : report.mode.map { "\($0): " }
    let refused = why?.attempts.filter { !$0.includes(": set (") && !(kept.map($0.hasPrefix) ?? false) } ?? []
    let words = report.reason ?? "no mode is set"
    guard report.state != .dark else {
      // Without a font, nothing can be drawn in any mode. The font check reports that.
      if isMissingFont(report) {
        return [.unseen(.mode, report.name, "\(report.name) is dark because no font is installed")]
      }
      if report.waitsForCard {
        let words = "\(report.name) waits for \(report.card): see \"permission\" and \"master\""
        return [.unseen(.mode, report.name, words)]
      }
      let code = refused.isEmpty ? "display-dark" : "mode-refused"
      return [
        Finding(
          .mode, .wrong, code, report.name, "\(report.name) is dark: \(words)",
          fix: refused.isEmpty ? "see what was tried" : refusedFix(report), command: "placard why \(report.name)")
      ]
    }
    let mode = report.mode ?? "no mode yet"
    let notes = refused.prefix(1).map { refusal in
      Finding(
        .mode, .note, "mode-refused", report.name,
        "\(report.name): \(refusal)" + (refused.count > 1 ? ", and \(refused.count - 1) more" : "")
          + "; it has \(mode) instead",
        fix: "try another cable, port or adapter", command: "placard why \(report.name)")
    }
    let found = Array(notes) + (why.flatMap { unsupportedModeFinding(report, $0) }.map { [$0] } ?? [])
    return found.isEmpty ? [.ok(.mode, report.name, "\(report.name): \(mode), \(report.state.rawValue)")] : found
  }

  /// Returns the next step for a display whose modes were all refused.
  ///
  /// If the display has only one mode, no other can be configured. A mode on the kernel's command line is added to the
  /// list (drm_helper_probe_add_cmdline_mode).
  private func refusedFix(_ report: DisplayReport) -> String {
    guard report.modes.count == 1, let mode = report.modes.first else {
      return "configure a smaller mode in the settings, or try another cable"
    }
    return "\(mode) is its only mode, and is tried again once a minute: try another cable, port or adapter, unplug "
      + "another display of \(report.card), or add a mode with video=\(report.name):1024x768@60 on the kernel's command line"
  }

  /// Reports a mode that is configured but that the monitor does not support.
  private func unsupportedModeFinding(_ report: DisplayReport, _ why: WhyReport) -> Finding? {
    guard case .explicit(let size, _) = ModePolicy(parsing: why.policy), let set = report.mode,
      !set.hasPrefix("\(size)@"), set != "\(size)"
    else { return nil }
    return Finding(
      .mode, .note, "mode-not-listed", report.name,
      "\(report.name): the settings ask for \(why.policy), but it uses \(set): \(why.reasons.first ?? "no reason given")",
      fix: "configure a mode that the monitor lists", command: "placard why \(report.name)")
  }

  /// Returns whether a display is dark because no font is available.
  func isMissingFont(_ report: DisplayReport) -> Bool {
    report.state == .dark && (fonts == .none || report.reason?.includes("no scalable font") ?? false)
  }
}

extension DisplayReport {
  /// Whether the service lacks the display's card: another program is DRM master, or the card cannot be opened.
  var waitsForCard: Bool { cause == .noMaster || cause == .noCard }
}
