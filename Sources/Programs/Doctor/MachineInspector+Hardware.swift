import CLinux
import Glibc
import Ordering
import SystemFiles

extension MachineInspector {
  private static let drm = "/sys/class/drm"

  /// Returns the cards in sysfs, such as `card0`, without connectors and render nodes.
  func cardNames() -> [String] {
    files.names(in: Self.drm).filter { $0.hasPrefix("card") && UInt32($0.dropFirst(4)) != nil }
      .sorted { (UInt32($0.dropFirst(4)) ?? 0) < (UInt32($1.dropFirst(4)) ?? 0) }
  }

  /// Returns the connectors of a card, without writeback connectors.
  func connectors(of card: String) -> [String] {
    files.names(in: Self.drm).filter { $0.hasPrefix(card + "-") }.map { String($0.dropFirst(card.count + 1)) }
      .filter { !$0.hasPrefix("Writeback-") }.naturallySorted()
  }

  func cards() -> [CardState] {
    cardNames().compactMap { card in
      let connectors = connectors(of: card).map { connector($0, of: card) }
      guard !connectors.isEmpty else { return nil }
      let node = "/dev/dri/\(card)"
      return CardState(
        node: node, driver: driver("\(Self.drm)/\(card)/device") ?? "unknown", facts: files.facts(node),
        connectors: connectors, holders: files.holders(of: node), master: files.drmMaster(of: node).map(files.process))
    }
  }

  private func connector(_ name: String, of card: String) -> ConnectorState {
    let folder = "\(Self.drm)/\(card)-\(name)"
    let override = files.bytes("/sys/kernel/debug/dri/\(card.dropFirst(4))/\(name)/edid_override", atMost: 1)
    return ConnectorState(
      name: name, isConnected: files.line("\(folder)/status") == "connected",
      // The maximum size of an EDID: 256 blocks of 128 bytes.
      edid: files.bytes("\(folder)/edid", atMost: 32768) ?? [], isOverridden: override?.isEmpty == false)
  }

  private func driver(_ device: String) -> String? {
    files.link("\(device)/driver")?.split(separator: "/").last.map(String.init)
  }

  /// Returns the PCI devices of class 03 (display controllers).
  func adapters() -> [Adapter] {
    let bus = "/sys/bus/pci/devices"
    return files.names(in: bus).sorted().filter { files.line("\(bus)/\($0)/class")?.hasPrefix("0x03") ?? false }
      .map { address in
        let device = "\(bus)/\(address)"
        let identity = ["vendor", "device"].map { String((files.line("\(device)/\($0)") ?? "0x????").dropFirst(2)) }
        return Adapter(address: address, identity: identity.joined(separator: ":"), driver: adapterDriver(device))
      }
  }

  /// Returns the driver of a PCI device.
  ///
  /// For virtio-pci, it returns the driver of the virtio device behind it.
  private func adapterDriver(_ device: String) -> String? {
    let driver = driver(device)
    guard driver == "virtio-pci" else { return driver }
    let inner = files.names(in: device).first { $0.hasPrefix("virtio") && UInt32($0.dropFirst(6)) != nil }
    return inner.flatMap { self.driver("\(device)/\($0)") }
  }

  /// Returns the active virtual terminal and its mode (ioctl_console(2), KDGETMODE).
  func terminal() -> TerminalState? {
    guard let name = files.line("/sys/class/tty/tty0/active"), !name.isEmpty else { return nil }
    let node = "/dev/\(name)"
    let descriptor = unsafe open(files.root + node, O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return TerminalState(name: name, mode: .unseen) }
    defer { close(descriptor) }
    var mode: Int32 = 0
    guard unsafe ioctl(descriptor, UInt(KDGETMODE), &mode) == 0 else { return TerminalState(name: name, mode: .unseen) }
    guard mode == KD_GRAPHICS else { return TerminalState(name: name, mode: .text) }
    return TerminalState(name: name, mode: .graphics, holders: files.holders(of: node).filter { $0.pid != getpid() })
  }
}
