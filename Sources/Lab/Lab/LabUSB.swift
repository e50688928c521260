public import USBDisplays
import JSON

/// Emulated USB graphics cards of this process.
///
/// The guest's name of connector N of a card, counted from 0, is `card.connectorNames[N]`, such as HDMI-A-1.
extension Lab {
  /// The reason why USB cards are unavailable on this host, or nil if they are available.
  ///
  /// The first access builds the driver.
  public static var usbUnavailableReason: String? { unavailableReason(to: .gud) }

  /// Adds a USB card and waits until the guest's kernel has detected it.
  ///
  /// - Parameters:
  ///   - kinds: The connector types, 1 to 32.
  ///   - monitors: The EDIDs of monitors that are connected from the start, by connector index.
  ///   - formats: The supported pixel formats, at least one.
  ///   - size: A mode size that the card rejects at a modeset, or nil for none.
  ///   - within: The time limit for the detection.
  /// - Throws: `LabError` if the arguments are invalid or the guest does not detect the card.
  /// - Returns: The card.
  public func plugUSBCard(
    _ kinds: [GUDCard.Kind] = [.hdmi], monitors: [Int: [UInt8]] = [:], formats: [PixelBuffer.Format] = [.xrgb8888],
    refusing size: (width: Int, height: Int)? = nil, within: Duration = .generous
  ) throws(LabError) -> USBCard {
    guard (1...32).contains(kinds.count), !formats.isEmpty, monitors.keys.allSatisfy(kinds.indices.contains) else {
      throw LabError(
        .invalid, "a USB card needs 1 to 32 connectors, a pixel format, and monitors only on its own connectors")
    }
    let name = "usb\(try directory.nextNumber(of: "usb-cards"))"
    var device = GUDCard(kinds, formats: formats, refusedSize: size, serial: name)
    for (connector, edid) in monitors { device.connect(connector, edid: edid) }
    try load(.gud)
    try prepareUSB()
    return try plug(device, as: name, within: within)
  }

  /// Adds a DisplayLink adapter for the kernel's driver udl, and waits until the guest's kernel has detected it.
  ///
  /// Its only connector is named VGA-1. Its pixels have 16 bits.
  ///
  /// - Parameters:
  ///   - edid: The EDID of its monitor (128 or 256 bytes), or nil for no monitor.
  ///   - within: The time limit for the detection.
  /// - Throws: `LabError` if the guest does not detect the adapter.
  /// - Returns: The adapter.
  public func plugDisplayLink(monitor edid: [UInt8]? = nil, within: Duration = .generous) throws(LabError) -> USBCard {
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

  /// Waits for the uevent of the card whose USB device has this serial number, and returns its node.
  private func waitForNode(of serial: String, from mark: Int, until deadline: Deadline) throws(LabError) -> String {
    var others: Set<String> = []
    while true {
      let left = Duration.milliseconds(Int64(deadline.milliseconds))
      let event = try waitForUevent(from: mark, within: left) {
        $0.isCard("add") && $0.path.contains("/usb") && !others.contains($0.path)
      }
      // The last path components are the USB device, its interface, "drm" and the card.
      let parts = event.path.split(separator: "/")
      let device = "/sys/" + parts.dropLast(3).joined(separator: "/")
      if let node = parts.last, (try? text(device + "/serial")) == serial { return String(node) }
      others.insert(event.path)
    }
  }

  /// Removes a USB card and waits until it is gone from the guest.
  public func yank(_ card: USBCard, within: Duration = .generous) throws(LabError) {
    let mark = try ueventCount
    card.unplug()
    try removeUSBDevice(card.name, from: mark, within: within)
  }

  /// Connects a monitor to a USB card.
  ///
  /// - Parameters:
  ///   - edid: The EDID of the monitor.
  ///   - connector: The index of the connector.
  ///   - card: The card.
  ///   - isReported: Whether to make the guest probe the connector at once, as a card with hotplug interrupts does. A
  ///     connected monitor is then disconnected first. Otherwise, the guest's kernel detects the change, even to
  ///     another monitor, within 10 s.
  /// - Throws: `LabError` if the connector does not exist or the EDID is invalid.
  public func plug(
    _ edid: [UInt8], into connector: Int, of card: USBCard, isReported: Bool = true
  ) throws(LabError) {
    if isReported, try card.isConnected(connector) { try unplug(connector, of: card) }
    try card.connect(connector, edid: edid)
    if isReported { try look(atConnector: card.connectorNames[connector], of: card.node) }
  }

  /// Disconnects a monitor of a USB card.
  ///
  /// - Parameters:
  ///   - connector: The index of the connector.
  ///   - card: The card.
  ///   - isReported: Whether to make the guest probe the connector at once, as for `plug(_:into:of:isReported:)`.
  /// - Throws: `LabError` if the connector does not exist.
  public func unplug(_ connector: Int, of card: USBCard, isReported: Bool = true) throws(LabError) {
    try card.disconnect(connector)
    if isReported { try look(atConnector: card.connectorNames[connector], of: card.node) }
  }

  /// Returns the kernel's names of a card's connectors.
  ///
  /// The kernel numbers the connectors of a type across all cards. In connector order, each takes the lowest free
  /// number.
  ///
  /// - Parameters:
  ///   - kinds: The connector types, in connector order.
  ///   - node: The name of the card in the guest.
  ///   - entries: The entries of /sys/class/drm.
  /// - Throws: `LabError` if a connector is missing.
  /// - Returns: The names, in connector order.
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
        throw LabError(.refused, "the guest's \(node) has no connector \(names.count) of type \(kind.kernelName)")
      }
      numbers[kind.kernelName] = Array(left.dropFirst())
      names.append("\(kind.kernelName)-\(number)")
    }
    return names
  }

  // MARK: In the guest

  /// Forces a probe of a connector, so that the kernel reports changes (kernel: drivers/gpu/drm/drm_probe_helper.c).
  func look(atConnector name: String, of node: String) throws(LabError) {
    try put("detect".utf8, to: "/sys/class/drm/\(node)-\(name)/status")
  }

  /// Adds the USB controller, together with a lab's first USB card.
  private func prepareUSB() throws(LabError) {
    guard try directory.nextNumber(of: "usb-controllers") == 1 else { return }
    try shell("modprobe xhci_pci")
    try qmp().execute(
      "device_add", ["driver": "qemu-xhci", "id": .string(Self.usbController), "p2": .number("15"), "p3": .number("4")])
  }

  private static let usbController = "usb"

  // MARK: In QEMU

  /// Passes the other end of a card's socket to QEMU as a USB device.
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

  /// Waits until a card is gone from the guest, and removes its QEMU device to free the port.
  ///
  /// QEMU removes the character device with it.
  func removeUSBDevice(_ name: String, from mark: Int, within: Duration) throws(LabError) {
    _ = try waitForUevent(from: mark, within: within) { $0.isCard("remove") && $0.path.contains("/usb") }
    try qmp().execute("device_del", ["id": .string(name)])
    try qmp().waitForEvent("DEVICE_DELETED", within: within) { $0["device"]?.text == name }
  }
}
