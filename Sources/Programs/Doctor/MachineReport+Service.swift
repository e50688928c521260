import Control
import Primitives
import SystemFiles

extension MachineReport {
  /// The service's answer, or nil if it did not answer.
  var view: ServiceView? { if case .answers(let view) = answer { view } else { nil } }

  /// Whether the service uses the virtual backend.
  var isVirtual: Bool { view?.status.backend == .virtual }

  /// The service's process, or nil if it cannot be identified.
  var process: ServiceProcess? {
    if let pid = view?.status.pid { return processes.first { $0.pid == pid } }
    return processes.count == 1 ? processes[0] : nil
  }

  /// The account that the service uses or would use.
  ///
  /// It is the account of the process, otherwise that of the unit, otherwise the caller's, for a start by hand.
  var serviceAccount: Account { process?.account ?? unit?.account ?? caller }

  /// Whether systemd runs or would run the service.
  var isSystemdService: Bool {
    unit?.account != nil && (process.map { $0.account.user == unit?.account?.user } ?? true)
  }

  func serviceFindings() -> [Finding] {
    var findings = [answerFinding()]
    if let configurationError {
      findings.append(
        Finding(
          .service, .wrong, "configuration", nil, "the configuration is invalid: \(configurationError)",
          fix: "correct that line; until then a running service keeps its old settings",
          command: isSystemdService ? "sudo systemctl restart placard" : nil))
    }
    return findings + socketFindings() + duplicateServiceFindings() + restartFindings() + otherProblems()
  }

  private func answerFinding() -> Finding {
    switch answer {
    case .answers(let view) where view.status.version != version:
      Finding(
        .service, .note, "version", socket,
        "placardd \(view.status.version) answers on \(socket), but this is placard \(version)",
        fix: "restart the service, so that both have the same version", command: "sudo systemctl restart placard")
    case .answers(let view):
      .ok(
        .service, socket,
        "placardd \(view.status.version), process \(view.status.pid), backend \(view.status.backend.rawValue), answers on \(socket)"
      )
    case .silent:
      Finding(
        .service, .wrong, "service-silent", socket, "placardd accepts connections on \(socket), but does not answer",
        fix: "restart the service, and please report this with its log", command: "sudo systemctl restart placard")
    case .broken(let words):
      Finding(
        .service, .wrong, "service-broken", socket,
        "the program that listens on \(socket) does not answer like placardd: \(words)",
        fix: "check the path of the socket: --socket or PLACARD_SOCKET sets it")
    case .notPermitted: permissionFinding()
    case .absent: absentFinding()
    }
  }

  private func permissionFinding() -> Finding {
    let group = accounts.groupName(socketFacts?.group ?? 0)
    let isMember = socketFacts.map { accounts.account(caller.name)?.isIn($0.group) ?? false } ?? false
    return Finding(
      .service, .wrong, "socket-permission", socket,
      isMember
        ? "\(caller.name) joined the group \(group) of \(socket) after this session began"
        : "\(caller.name) may not use \(socket)" + (socketFacts == nil ? "" : ", which belongs to the group \(group)"),
      fix: isMember ? "log out and in again" : "join the group, then log in again; or use sudo",
      command: isMember
        ? "newgrp \(group)" : "sudo usermod -aG \(socketFacts == nil ? "placard" : group) \(caller.name)")
  }

  private func absentFinding() -> Finding {
    if let other = processes.first {
      let place =
        other.option("--socket").map { "with the socket \($0)" } ?? "with another socket, or is still starting"
      return Finding(
        .service, .wrong, "service-elsewhere", socket,
        "no service listens on \(socket); placardd runs as process \(other.pid) \(place)",
        fix: "use its socket", command: other.option("--socket").map { "placard doctor --socket \($0)" })
    }
    guard let unit else {
      return Finding(
        .service, .wrong, "service-down", socket, "no service listens on \(socket); placardd is not running",
        fix: "start it by hand, or install it with scripts/install", command: "placardd")
    }
    let words = unit.lastLine.map { "; its last log line: \($0)" } ?? ""
    let isTrying = unit.active == "failed" || unit.active == "activating" || unit.result != "success"
    return Finding(
      .service, .wrong, "service-down", socket,
      "no service listens on \(socket); systemd reports placard.service as \(unit.active)"
        + (unit.result == "success" ? "" : " (\(unit.result))") + words,
      fix: isTrying ? "see its log for the reason" : "start it",
      command: isTrying ? "journalctl -u placard -n 20" : "sudo systemctl start placard")
  }

  /// Reports a socket with the wrong group.
  ///
  /// Only sockets of root and of the user placard are checked: a service that another user starts by hand may be unable
  /// to assign the group.
  private func socketFindings() -> [Finding] {
    guard let facts = socketFacts, facts.isSocket, let group = accounts.group("placard"), facts.group != group,
      facts.user == 0 || facts.user == accounts.account("placard")?.user
    else { return [] }
    return [
      Finding(
        .service, .wrong, "socket-group", socket,
        "\(socket) belongs to the group \(accounts.groupName(facts.group)) (\(facts.octal)), so members of the group"
          + " placard may not use it",
        fix: "change its group, or restart the service", command: "sudo chgrp placard \(socket)")
    ]
  }

  /// Reports several services with real cards.
  ///
  /// Only one can be DRM master. The others wait indefinitely.
  private func duplicateServiceFindings() -> [Finding] {
    let rivals = processes.filter { $0.option("--backend") != "virtual" }
    guard rivals.count > 1, !isVirtual, !cards.isEmpty else { return [] }
    let names = rivals.map { "\($0.pid) (\($0.account.name))" }.joined(separator: " and ")
    return [
      Finding(
        .service, .wrong, "two-services", nil,
        "placardd runs more than once, as processes \(names): only one can drive a card",
        fix: "stop all but one", command: "sudo kill \(rivals.last?.pid ?? 0)")
    ]
  }

  private func restartFindings() -> [Finding] {
    guard let unit, unit.restarts > 0 else { return [] }
    return [
      Finding(
        .service, .note, "service-restarts", "placard.service",
        "systemd has restarted placard.service \(unit.restarts == 1 ? "once" : "\(unit.restarts) times")",
        fix: "see its log for the reason",
        command: "journalctl -u placard -p warning")
    ]
  }

  /// Reports the service's own problems that no other check covers.
  private func otherProblems() -> [Finding] {
    guard let view else { return [] }
    let reported = cards.map(\.node) + view.displays.map { "\($0.name): " } + [view.status.storage].compactMap { $0 }
    let others = view.status.problems.filter { problem in
      !reported.contains { problem.firstRange(ofText: $0) != nil }
    }
    return others.map { problem in
      Finding(.service, .wrong, "service-problem", nil, "the service reports: \(problem)")
    }
  }
}
