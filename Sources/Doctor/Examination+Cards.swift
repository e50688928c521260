import Control
import Displays
import SystemFiles

extension Examination {
  /// Drivers of framebuffers that the firmware set up.
  ///
  /// They have one mode and no hotplug.
  private static let firmwareDrivers: Set = ["simple-framebuffer", "simpledrm", "ofdrm", "efi-framebuffer"]

  /// Returns whether the service drives a card.
  ///
  /// Displays of cards that the service waits for are listed as well, with a cause.
  func isDriven(_ card: CardSight) -> Bool {
    let displays = view?.displays.filter { $0.card == card.node } ?? []
    return !displays.isEmpty && !displays.contains(where: \.waitsForCard)
  }

  /// Whether `nomodeset` disables kernel modesetting.
  var isModesettingOff: Bool { kernelArguments.contains("nomodeset") }

  // MARK: Cards

  func cardFindings() -> [Finding] {
    guard !cards.isEmpty else { return [missingCard()] + driverless() }
    return cards.map(cardFinding) + driverless() + virtualFindings()
  }

  private func cardFinding(_ card: CardSight) -> Finding {
    if Self.firmwareDrivers.contains(card.driver) {
      return Finding(
        .cards, .note, "firmware-framebuffer", card.node,
        "\(card.node) is only the firmware's framebuffer (\(card.driver)): one mode, and nothing can be plugged in or out",
        fix: "install the graphics card's firmware, so that its own driver takes it, and reboot",
        command: "sudo apt-get install firmware-linux")
    }
    let count = card.connectors.count
    return .ok(.cards, card.node, "\(card.node): \(card.driver), \(count) connector\(count == 1 ? "" : "s")")
  }

  private func missingCard() -> Finding {
    let what = isVirtual ? "the service draws on virtual monitors" : "nothing can be shown"
    let seen =
      if !renderNodes.isEmpty {
        "\(renderNodes.joined(separator: ", ")) can only compute: it has no connectors"
      } else if !framebuffers.isEmpty {
        "the kernel only has the firmware's framebuffer (\(framebuffers.joined(separator: ", ")))"
      } else {
        "the kernel has no DRM device with connectors in /sys/class/drm"
      }
    return Finding(
      .cards, isVirtual ? .note : .wrong, "no-card", nil, "there is no graphics card: \(seen); \(what)",
      fix: isVirtual ? nil : missingCardFix(), command: isVirtual ? nil : "sudo dmesg | grep -iE 'drm|firmware'")
  }

  private func missingCardFix() -> String {
    if isModesettingOff { return "nomodeset keeps the drivers away: see \"kernel\" below" }
    if adapters.contains(where: { $0.driver == nil }) { return "the device below has no driver" }
    return adapters.isEmpty
      ? "is a graphics card there, switched on in the firmware, and passed on to this virtual machine or container?"
      : "the kernel's log says what became of its driver"
  }

  /// Reports display devices without a driver.
  private func driverless() -> [Finding] {
    adapters.filter { $0.driver == nil }.map { adapter in
      Finding(
        .cards, cards.isEmpty && !isVirtual ? .wrong : .note, "driver-missing", adapter.address,
        "the display device \(adapter.address) (\(adapter.identity)) has no driver",
        fix: isModesettingOff
          ? "nomodeset keeps it away: see \"kernel\" below" : "install its firmware or driver, then reboot",
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
        "the service draws on virtual monitors, and leaves the real ones alone"
          + (waiting.isEmpty ? "" : " (\(waiting.joined(separator: ", ")))"),
        fix: "start it with --backend kms, or with backend = \"auto\" in its settings",
        command: "placardd --backend kms")
    ]
  }

  // MARK: Permission

  func permissionFindings() -> [Finding] {
    if isVirtual { return [.ok(.permission, nil, "virtual monitors need none")] }
    guard !cards.isEmpty else { return [.unseen(.permission, nil, "there is no card to open")] }
    return cards.map { permissionFinding($0) }
  }

  /// Returns whether the service may open a card: it already has it open, or the node's permissions allow it.
  private func isPermitted(_ card: CardSight) -> Bool {
    let displays = view?.displays.filter { $0.card == card.node } ?? []
    let isOpen = !displays.isEmpty && !displays.contains { $0.cause == Darkness.noCard.rawValue }
    return isOpen || card.facts?.isWritable(by: runner) ?? false
  }

  private func permissionFinding(_ card: CardSight) -> Finding {
    if isPermitted(card) { return .ok(.permission, card.node, "\(runner.name) may open \(card.node)") }
    guard let facts = card.facts else {
      return Finding(
        .permission, .wrong, "no-node", card.node, "the kernel has the card, but there is no \(card.node)",
        fix: "in a container, pass /dev/dri on; else start udev", command: "sudo systemctl start systemd-udevd")
    }
    let group = accounts.groupName(facts.group)
    let place = "\(card.node) is for \(accounts.userName(facts.user)):\(group) (\(facts.octal))"
    guard facts.mode & 0o060 == 0o060, facts.group != 0 else {
      return Finding(
        .permission, .wrong, "card-permission", card.node, "\(place), and \(runner.name) may not open it",
        fix: "udev's rules give cards to the group video; have them applied again",
        command: "sudo udevadm trigger --action=change \(card.node)")
    }
    return groupFinding(card, place, group, isMember: accounts.account(runner.name)?.isIn(facts.group) ?? false)
  }

  private func groupFinding(_ card: CardSight, _ place: String, _ group: String, isMember: Bool) -> Finding {
    let restart = isUnits ? "sudo systemctl restart placard" : "newgrp \(group)"
    guard isMember else {
      return Finding(
        .permission, .wrong, "card-permission", card.node, "\(place), and \(runner.name) is not in the group \(group)",
        fix: isUnits ? "add it to the group, and restart the service" : "join the group, then log in again",
        command: "sudo usermod -aG \(group) \(runner.name)" + (isUnits ? " && \(restart)" : ""))
    }
    return Finding(
      .permission, .wrong, "group-after-login", card.node,
      "\(place); \(runner.name) is in the group \(group), but was not yet when "
        + (isUnits ? "the service was started" : "this session began"),
      fix: isUnits ? "restart the service" : "log out and in again", command: restart)
  }

  // MARK: DRM master

  func masterFindings() -> [Finding] {
    if isVirtual { return [.ok(.master, nil, "virtual monitors have none")] }
    guard !cards.isEmpty else { return [.unseen(.master, nil, "there is no card to be master of")] }
    return cards.map { masterFinding($0) }
  }

  private func masterFinding(_ card: CardSight) -> Finding {
    if isDriven(card) { return .ok(.master, card.node, "placardd is master of \(card.node)") }
    guard isPermitted(card) else {
      return .unseen(.master, card.node, "the service does not get as far as \(card.node): see \"permission\"")
    }
    let own = Set(processes.map(\.pid))
    if let master = card.master, !own.contains(master.pid) { return held(card, by: [master], .wrong) }
    let others = card.holders.filter { !own.contains($0.pid) }
    if view != nil { return waiting(card, others) }
    if !others.isEmpty { return held(card, by: others, .note) }
    if caller.user == 0 { return .ok(.master, card.node, "nobody else has \(card.node) open") }
    return .unseen(
      .master, card.node, "whether another program has \(card.node), only root may see", fix: "look again as root",
      command: "sudo placard doctor")
  }

  /// Reports a card that the service may open but does not drive.
  private func waiting(_ card: CardSight, _ holders: [NodeHolder]) -> Finding {
    if !holders.isEmpty { return held(card, by: holders, .wrong) }
    let words = view?.status.problems.first { $0.includes(card.node) } ?? "the service has not taken \(card.node)"
    return Finding(
      .master, .wrong, "master-held", card.node, words,
      fix: caller.user == 0 ? "the service's log says more" : "root may see which program that is",
      command: caller.user == 0 ? "journalctl -u placard -n 20" : "sudo placard doctor")
  }

  private func held(_ card: CardSight, by holders: [NodeHolder], _ mark: Finding.Mark) -> Finding {
    let names = holders.map(\.description).joined(separator: ", ")
    // Suggest only system services: a scope is an entire login session, and user units belong to another manager.
    let unit = holders.first { !$0.isUserUnit }?.unit.flatMap { $0.hasSuffix(".service") ? $0 : nil }
    return Finding(
      .master, mark, mark == .wrong ? "master-held" : "card-open", card.node, "\(card.node) is held by \(names)",
      fix: "end it; the picture comes at once",
      command: unit.map { "sudo systemctl stop \($0)" } ?? holders.first.map { "sudo kill \($0.pid)" })
  }
}
