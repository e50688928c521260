public import USBDisplays
import JSON

/// USB graphics cards that this process plays, with HDMI connectors and others. Connector N, from 0 on, of such a card is
/// what the guest calls `card.connectorNames[N]`, e.g. HDMI-A-1.
extension Lab {
  /// Why USB cards cannot be had on this host, as one sentence; nil where they can. The first time, it makes the driver.
  public static var usbObstacle: String? { obstacle(to: .gud) }

  /// Plugs in a USB card, waits until the guest's kernel has it, and returns it; it has no monitors yet but those of
  /// `monitors`, EDIDs by connector.
  public func plugUSBCard(
    _ kinds: [GUDCard.Kind] = [.hdmi], monitors: [Int: [UInt8]] = [:], formats: [Glass.Format] = [.xrgb8888],
    refusing size: (width: Int, height: Int)? = nil, within: Duration = .seconds(60)
  ) throws(LabError) -> USBCard {
    guard (1...32).contains(kinds.count), !formats.isEmpty, monitors.keys.allSatisfy(kinds.indices.contains) else {
      throw LabError(.invalid, "a USB card has 1 to 32 connectors, a format, and monitors at its own connectors only")
    }
    let name = "usb\(try directory.nextNumber(of: "usb-cards"))"
    var device = GUDCard(kinds, formats: formats, refusedSize: size, serial: name)
    for (connector, edid) in monitors { device.connect(connector, edid: edid) }
    try load(.gud)
    try prepareUSB()
    return try plug(device, as: name, within: within)
  }

  /// Plugs in a DisplayLink adapter, which the kernel's own driver udl takes, with a monitor of this EDID (128 or 256
  /// bytes) or none, waits until the guest's kernel has it, and returns it. Its one connector is called VGA-1, and all
  /// its pixels have 16 bits.
  public func plugDisplayLink(monitor edid: [UInt8]? = nil, within: Duration = .seconds(60)) throws(LabError) -> USBCard
  {
    let name = "usb\(try directory.nextNumber(of: "usb-cards"))"
    var device = DisplayLinkCard(serial: name)
    if let edid { device.connect(0, edid: edid) }
    try prepareUSB()
    try shell("modprobe udl")
    return try plug(device, as: name, within: within)
  }

  private func plug(_ device: any USBDisplay, as name: String, within: Duration) throws(LabError) -> USBCard {
    let mark = try ueventCount
    let (ours, theirs) = try UnixSocket.pair()
    let card = try USBCard(name: name, card: device, socket: ours)
    do throws(LabError) {
      try attach(name, to: theirs)
      let node = try waitForNode(of: name, from: mark, until: Deadline(in: within))
      let entries = try shell("ls /sys/class/drm").split(whereSeparator: \.isWhitespace).map(String.init)
      card.isKnown(as: node, connectors: try Self.connectorNames(card.kinds, of: node, in: entries))
    } catch {
      card.unplug()
      throw error
    }
    return card
  }

  /// The node of the card whose USB device has this serial number, from its uevent on.
  private func waitForNode(of serial: String, from mark: Int, until deadline: Deadline) throws(LabError) -> String {
    var others: Set<String> = []
    while true {
      let left = Duration.milliseconds(Int64(deadline.milliseconds))
      let event = try waitForUevent(from: mark, within: left) {
        $0.isCard("add") && $0.path.contains("/usb") && !others.contains($0.path)
      }
      // The device, its interface, "drm", the card.
      let parts = event.path.split(separator: "/")
      let device = "/sys/" + parts.dropLast(3).joined(separator: "/")
      if let node = parts.last, (try? text(device + "/serial")) == serial { return String(node) }
      others.insert(event.path)
    }
  }

  /// Yanks a USB card out of the guest, and waits until it has gone from there.
  public func yank(_ card: USBCard, within: Duration = .seconds(30)) throws(LabError) {
    let mark = try ueventCount
    card.unplug()
    try forgetUSBCard(card.name, from: mark, within: within)
  }

  /// Plugs a monitor with this EDID into a connector of a USB card and lets the guest look at it at once, as a card does
  /// that can tell; one that was there is unplugged before. Without `isTold` the guest's kernel finds out for itself
  /// within 10 seconds, also that a monitor is another one than before.
  public func plug(
    _ edid: [UInt8], into connector: Int, of card: USBCard, isTold: Bool = true
  ) throws(LabError) {
    if isTold, try card.isConnected(connector) { try unplug(connector, of: card) }
    try card.connect(connector, edid: edid)
    if isTold { try look(atConnector: card.connectorNames[connector], of: card.node) }
  }

  /// Unplugs the monitor of a connector of a USB card; see `plug(_:into:of:isTold:)`.
  public func unplug(_ connector: Int, of card: USBCard, isTold: Bool = true) throws(LabError) {
    try card.disconnect(connector)
    if isTold { try look(atConnector: card.connectorNames[connector], of: card.node) }
  }

  /// What the guest's kernel calls connectors of these kinds, among the entries of /sys/class/drm. It numbers them over
  /// all cards, in the order of the connectors, the lowest free number first.
  static func connectorNames(
    _ kinds: [GUDCard.Kind], of node: String, in entries: [String]
  ) throws(LabError) -> [String] {
    var numbers: [String: [Int]] = [:]
    for entry in entries where entry.hasPrefix(node + "-") {
      let name = entry.dropFirst(node.utf8.count + 1)
      guard let dash = name.lastIndex(of: "-"), let number = Int(name[name.index(after: dash)...]) else { continue }
      numbers[String(name[..<dash]), default: []].append(number)
    }
    var names: [String] = []
    for kind in kinds {
      let left = numbers[kind.kernelName, default: []].sorted()
      guard let number = left.first else {
        throw LabError(.refused, "the guest's \(node) has no connector \(names.count) of the kind \(kind.kernelName)")
      }
      numbers[kind.kernelName] = Array(left.dropFirst())
      names.append("\(kind.kernelName)-\(number)")
    }
    return names
  }

  // MARK: In the guest

  /// A look at a connector makes the kernel tell of what has changed (kernel: drivers/gpu/drm/drm_probe_helper.c).
  func look(atConnector name: String, of node: String) throws(LabError) {
    try put("detect".utf8, to: "/sys/class/drm/\(node)-\(name)/status")
  }

  /// The first card of a lab brings the controller into which all are plugged.
  private func prepareUSB() throws(LabError) {
    guard try directory.nextNumber(of: "usb-controllers") == 1 else { return }
    try shell("modprobe xhci_pci")
    try qmp().execute(
      "device_add", ["driver": "qemu-xhci", "id": .string(Self.usbController), "p2": .number("15"), "p3": .number("4")])
  }

  private static let usbController = "usb"

  // MARK: In QEMU

  /// Hands QEMU the other end of a card's socket, as a USB device.
  private func attach(_ name: String, to socket: Descriptor) throws(LabError) {
    let qmp = try qmp()
    try qmp.execute("getfd", ["fdname": .string(name)], passing: socket.number)
    let address = JSONValue.object(["type": "fd", "data": .object(["str": .string(name)])])
    try qmp.execute(
      "chardev-add",
      [
        "id": .string("\(name)-bytes"),
        "backend": .object(["type": "socket", "data": .object(["addr": address, "server": .bool(false)])]),
      ])
    try qmp.execute(
      "device_add",
      [
        "driver": "usb-redir", "id": .string(name), "chardev": .string("\(name)-bytes"),
        "bus": .string("\(Self.usbController).0"),
      ])
  }

  /// Waits until a card has gone from the guest, and takes away what QEMU had for it, so that its port is free again; the
  /// character device goes with it.
  func forgetUSBCard(_ name: String, from mark: Int, within: Duration) throws(LabError) {
    _ = try waitForUevent(from: mark, within: within) { $0.isCard("remove") && $0.path.contains("/usb") }
    try qmp().execute("device_del", ["id": .string(name)])
    try qmp().waitForEvent("DEVICE_DELETED", within: within) { $0["device"]?.text == name }
  }
}
