import Control
import Displays
import SystemFiles

extension MachineReport {
  /// Drivers of framebuffers that the firmware set up.
  ///
  /// They have one mode and no hotplug.
  private static let firmwareDrivers: Set = ["simple-framebuffer", "simpledrm", "ofdrm", "efi-framebuffer"]

  /// Returns whether the service drives a card.
  ///
  /// Displays of cards that the service waits for are listed as well, with a cause.
  func isDriven(_ card: CardState) -> Bool {
    let displays = view?.displays.filter { $0.card == card.node } ?? []
    return !displays.isEmpty && !displays.contains(where: \.waitsForCard)
  }

  /// Whether `nomodeset` disables kernel modesetting.
  var isModesettingOff: Bool { kernelArguments.contains("nomodeset") }

  // MARK: Cards

  func cardFindings() -> [Finding] {
    guard !cards.isEmpty else { return [missingCard()] + missingDriverFindings() }
    return cards.map(cardFinding) + missingDriverFindings() + virtualFindings()
  }

  private func cardFinding(_ card: CardState) -> Finding {
    if Self.firmwareDrivers.contains(card.driver) {
      return Finding(
        .cards, .note, "firmware-framebuffer", card.node,
        "\(card.node) is only the firmware's framebuffer (\(card.driver)): it has one mode and no hotplug",
        fix: "install the graphics card's firmware and reboot, so that its own driver binds to it",
        command: "sudo apt-get install firmware-linux")
    }
    let count = card.connectors.count
    return .ok(.cards, card.node, "\(card.node): \(card.driver), \(count) connector\(count == 1 ? "" : "s")")
  }

  private func missingCard() -> Finding {
    let what = isVirtual ? "the service draws on virtual monitors" : "nothing can be shown"
    let seen =
      if !renderNodes.isEmpty {
        "\(renderNodes.joined(separator: ", ")) can only render: it has no connectors"
      } else if !framebuffers.isEmpty {
        "the kernel only has the firmware's framebuffer (\(framebuffers.joined(separator: ", ")))"
      } else {
        "the kernel has no DRM device with connectors in /sys/class/drm"
      }
    return Finding(
      .cards, isVirtual ? .note : .wrong, "no-card", nil, "no graphics card was found: \(seen); \(what)",
      fix: isVirtual ? nil : missingCardFix(), command: isVirtual ? nil : "sudo dmesg | grep -iE 'drm|firmware'")
  }

  private func missingCardFix() -> String {
    if isModesettingOff { return "nomodeset disables the drivers: see \"kernel\" below" }
    if adapters.contains(where: { $0.driver == nil }) { return "install a driver for the device below" }
    return adapters.isEmpty
      ? "check that a graphics card is installed, enabled in the firmware, and passed through to a virtual machine"
      : "look in the kernel's log for errors of its driver"
  }

  /// Reports display devices without a driver.
  private func missingDriverFindings() -> [Finding] {
    adapters.filter { $0.driver == nil }.map { adapter in
      Finding(
        .cards, cards.isEmpty && !isVirtual ? .wrong : .note, "driver-missing", adapter.address,
        "the display device \(adapter.address) (\(adapter.identity)) has no driver",
        fix: isModesettingOff
          ? "nomodeset disables its driver: see \"kernel\" below" : "install its firmware or driver, then reboot",
        command: "lspci -nnk -s \(adapter.address)")
    }
  }

  /// Reports a service that uses the virtual backend, with any real monitors that stay dark.
  private func virtualFindings() -> [Finding] {
    guard isVirtual else { return [] }
    let waiting = cards.flatMap(\.connectors).filter(\.isConnected).map(\.name)
    return [
      Finding(
        .cards, waiting.isEmpty ? .note : .wrong, "virtual-backend", nil,
        "the service draws on virtual monitors and does not use the real ones"
          + (waiting.isEmpty ? "" : " (\(waiting.joined(separator: ", ")))"),
        fix: "start it with --backend kms, or set backend = \"auto\" in its settings",
        command: "placardd --backend kms")
    ]
  }

  // MARK: Permission

  func permissionFindings() -> [Finding] {
    if isVirtual { return [.ok(.permission, nil, "virtual monitors need no permission")] }
    guard !cards.isEmpty else { return [.unseen(.permission, nil, "there is no card to open")] }
    return cards.map { permissionFinding($0) }
  }

  /// Returns whether the service may open a card: it already has it open, or the node's permissions allow it.
  private func isPermitted(_ card: CardState) -> Bool {
    let displays = view?.displays.filter { $0.card == card.node } ?? []
    let isOpen = !displays.isEmpty && !displays.contains { $0.cause == .noCard }
    return isOpen || card.facts?.isWritable(by: serviceAccount) ?? false
  }

  private func permissionFinding(_ card: CardState) -> Finding {
    if isPermitted(card) { return .ok(.permission, card.node, "\(serviceAccount.name) may open \(card.node)") }
    guard let facts = card.facts else {
      return Finding(
        .permission, .wrong, "no-node", card.node, "the kernel has the card, but \(card.node) does not exist",
        fix: "in a container, pass /dev/dri through; otherwise start udev",
        command: "sudo systemctl start systemd-udevd")
    }
    let group = accounts.groupName(facts.group)
    let place = "\(card.node) belongs to \(accounts.userName(facts.user)):\(group) (\(facts.octal))"
    guard facts.mode & 0o060 == 0o060, facts.group != 0 else {
      return Finding(
        .permission, .wrong, "card-permission", card.node, "\(place), and \(serviceAccount.name) may not open it",
        fix: "udev's rules assign cards to the group video: apply them again",
        command: "sudo udevadm trigger --action=change \(card.node)")
    }
    return groupFinding(card, place, group, isMember: accounts.account(serviceAccount.name)?.isIn(facts.group) ?? false)
  }

  private func groupFinding(_ card: CardState, _ place: String, _ group: String, isMember: Bool) -> Finding {
    let restart = isSystemdService ? "sudo systemctl restart placard" : "newgrp \(group)"
    guard isMember else {
      return Finding(
        .permission, .wrong, "card-permission", card.node,
        "\(place), and \(serviceAccount.name) is not in the group \(group)",
        fix: isSystemdService ? "add it to the group and restart the service" : "join the group, then log in again",
        command: "sudo usermod -aG \(group) \(serviceAccount.name)" + (isSystemdService ? " && \(restart)" : ""))
    }
    return Finding(
      .permission, .wrong, "group-after-login", card.node,
      "\(place); \(serviceAccount.name) joined the group \(group) after "
        + (isSystemdService ? "the service started" : "this session began"),
      fix: isSystemdService ? "restart the service" : "log out and in again", command: restart)
  }

  // MARK: DRM master

  func masterFindings() -> [Finding] {
    if isVirtual { return [.ok(.master, nil, "virtual monitors have no DRM master")] }
    guard !cards.isEmpty else { return [.unseen(.master, nil, "there is no card to drive")] }
    return cards.map { masterFinding($0) }
  }

  private func masterFinding(_ card: CardState) -> Finding {
    if isDriven(card) { return .ok(.master, card.node, "placardd is master of \(card.node)") }
    guard isPermitted(card) else {
      return .unseen(.master, card.node, "the service cannot open \(card.node): see \"permission\"")
    }
    let own = Set(processes.map(\.pid))
    if let master = card.master, !own.contains(master.pid) { return held(card, by: [master], .wrong) }
    let others = card.holders.filter { !own.contains($0.pid) }
    if view != nil { return waiting(card, others) }
    if !others.isEmpty { return held(card, by: others, .note) }
    if caller.user == 0 { return .ok(.master, card.node, "no other process has \(card.node) open") }
    return .unseen(
      .master, card.node, "only root can see whether another program has \(card.node) open", fix: "run this as root",
      command: "sudo placard doctor")
  }

  /// Reports a card that the service may open but does not drive.
  private func waiting(_ card: CardState, _ holders: [NodeHolder]) -> Finding {
    if !holders.isEmpty { return held(card, by: holders, .wrong) }
    let words = view?.status.problems.first { $0.includes(card.node) } ?? "the service has not opened \(card.node)"
    return Finding(
      .master, .wrong, "master-held", card.node, words,
      fix: caller.user == 0 ? "see the service's log" : "run this as root to see which program that is",
      command: caller.user == 0 ? "journalctl -u placard -n 20" : "sudo placard doctor")
  }

  private func held(_ card: CardState, by holders: [NodeHolder], _ severity: Finding.Severity) -> Finding {
    let names = holders.map(\.description).joined(separator: ", ")
    // Suggest only system services: a scope is an entire login session, and user units belong to another manager.
    let unit = holders.first { !$0.isUserUnit }?.unit.flatMap { $0.hasSuffix(".service") ? $0 : nil }
    return Finding(
      .master, severity, severity == .wrong ? "master-held" : "card-open", card.node,
      "\(card.node) is held by \(names)",
      fix: "stop it: the service then uses the card at once",
      command: unit.map { "sudo systemctl stop \($0)" } ?? holders.first.map { "sudo kill \($0.pid)" })
  }
}
