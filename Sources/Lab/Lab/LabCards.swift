import JSON

/// Hotplug of graphics cards.
extension Lab {
  /// Adds a second graphics card (secondary-vga, driver bochs) and waits until the guest's kernel has detected it.
  ///
  /// - Parameter within: The time limit for the guest's uevent.
  /// - Throws: `LabError` if QEMU refuses the device or the guest does not detect it in time.
  /// - Returns: The card's name in the lab, such as "card1".
  public func addCard(within: Duration = .generous) throws(LabError) -> String {
    let mark = try ueventCount
    let id = "card\(try directory.nextNumber(of: "cards"))"
    try qmp().execute("device_add", ["driver": .string("secondary-vga"), "id": .string(id)])
    _ = try waitForUevent(from: mark, within: within) { $0.isCard("add") }
    return id
  }

  /// Removes a card that `addCard` added, and waits until it is gone from the guest and from QEMU.
  public func removeCard(_ id: String, within: Duration = .generous) throws(LabError) {
    let mark = try ueventCount
    try qmp().execute("device_del", ["id": .string(id)])
    try qmp().waitForEvent("DEVICE_DELETED", within: within) { $0["device"]?.text == id }
    _ = try waitForUevent(from: mark, within: within) { $0.isCard("remove") }
  }

  /// Removes a driver's card from the guest's PCI bus through sysfs in the guest.
  ///
  /// - Parameters:
  ///   - driver: The name of the driver, such as "virtio_gpu" or "bochs-drm".
  ///   - within: The time limit for the guest's uevent.
  /// - Throws: `LabError` if no card uses the driver or the guest does not remove it in time.
  /// - Returns: The PCI address of the card.
  public func removeFromPCI(driver: String, within: Duration = .generous) throws(LabError) -> String {
    let script =
      "for d in /sys/bus/pci/drivers/\(driver)/0000:* /sys/bus/virtio/drivers/\(driver)/virtio*; do "
      + "[ -e $d ] && readlink -f $d && exit; done; exit 1"
    let found = try run(["/bin/sh", "-c", script]).output
    guard let address = found.split(whereSeparator: { $0 == "/" || $0 == "\n" }).last(where: { $0.hasPrefix("0000:") })
    else { throw LabError(.invalid, "no card of the guest uses the driver \(driver) (see /sys/bus/pci/drivers)") }
    let mark = try ueventCount
    try put("1".utf8, to: "/sys/bus/pci/devices/\(address)/remove")
    _ = try waitForUevent(from: mark, within: within) { $0.isCard("remove") }
    return String(address)
  }

  /// Makes the guest rescan its PCI bus, and waits until a card is detected.
  public func rescanPCI(within: Duration = .generous) throws(LabError) {
    let mark = try ueventCount
    try put("1".utf8, to: "/sys/bus/pci/rescan")
    _ = try waitForUevent(from: mark, within: within) { $0.isCard("add") }
  }
}

extension Uevent {
  /// Returns whether a card was added or removed, as opposed to a connector or a render node.
  func isCard(_ action: String) -> Bool {
    guard self.action == action, properties["SUBSYSTEM"] == "drm" else { return false }
    return properties["DEVNAME"]?.hasPrefix("dri/card") == true
  }
}
