import JSON

/// Cards that come and go while the guest runs.
extension Lab {
  /// Plugs a second graphics card (secondary-vga, driven by bochs), waits until the guest's kernel has it, and returns
  /// its name in the lab: "card1", "card2", ...
  public func addCard(within: Duration = .seconds(30)) throws(LabError) -> String {
    let mark = try ueventCount
    let id = "card\(try directory.nextNumber(of: "cards"))"
    try qmp().execute("device_add", ["driver": .string("secondary-vga"), "id": .string(id)])
    _ = try waitForUevent(from: mark, within: within) { $0.isCard("add") }
    return id
  }

  /// Yanks a card that `addCard` plugged, and waits until it has gone from the guest and from QEMU.
  public func removeCard(_ id: String, within: Duration = .seconds(30)) throws(LabError) {
    let mark = try ueventCount
    try qmp().execute("device_del", ["id": .string(id)])
    try qmp().waitForEvent("DEVICE_DELETED", within: within) { $0["device"]?.text == id }
    _ = try waitForUevent(from: mark, within: within) { $0.isCard("remove") }
  }

  /// Takes the driver's card off the guest's PCI bus from inside, e.g. "virtio_gpu" or "bochs-drm"; returns its address
  /// for `rescanPCI`.
  public func removeFromPCI(driver: String, within: Duration = .seconds(30)) throws(LabError) -> String {
    let script =
      "for d in /sys/bus/pci/drivers/\(driver)/0000:* /sys/bus/virtio/drivers/\(driver)/virtio*; do "
      + "[ -e $d ] && readlink -f $d && exit; done; exit 1"
    let found = try run(["/bin/sh", "-c", script]).output
    guard let address = found.split(whereSeparator: { $0 == "/" || $0 == "\n" }).last(where: { $0.hasPrefix("0000:") })
    else { throw LabError(.invalid, "no card of the guest has the driver \(driver) (see /sys/bus/pci/drivers)") }
    let mark = try ueventCount
    try put("1".utf8, to: "/sys/bus/pci/devices/\(address)/remove")
    _ = try waitForUevent(from: mark, within: within) { $0.isCard("remove") }
    return String(address)
  }

  /// Lets the guest look for PCI devices again, and waits for a card's return.
  public func rescanPCI(within: Duration = .seconds(30)) throws(LabError) {
    let mark = try ueventCount
    try put("1".utf8, to: "/sys/bus/pci/rescan")
    _ = try waitForUevent(from: mark, within: within) { $0.isCard("add") }
  }
}

extension Uevent {
  /// Whether a card, not a connector or a render node, was added or removed.
  func isCard(_ action: String) -> Bool {
    guard self.action == action, properties["SUBSYSTEM"] == "drm" else { return false }
    return properties["DEVNAME"]?.hasPrefix("dri/card") == true
  }
}
