import CLinux
import Glibc
import Ordering
import SystemFiles

extension Examiner {
  private static let drm = "/sys/class/drm"

  /// `card0`, `card1`; not their connectors, and not `renderD128`.
  func cardNames() -> [String] {
    files.names(in: Self.drm).filter { $0.hasPrefix("card") && UInt32($0.dropFirst(4)) != nil }
      .sorted { (UInt32($0.dropFirst(4)) ?? 0) < (UInt32($1.dropFirst(4)) ?? 0) }
  }

  /// The connectors of a card that a monitor could be plugged into.
  func connectors(of card: String) -> [String] {
    files.names(in: Self.drm).filter { $0.hasPrefix(card + "-") }.map { String($0.dropFirst(card.count + 1)) }
      .filter { !$0.hasPrefix("Writeback-") }.naturallySorted()
  }

  func cards() -> [CardSight] {
    cardNames().compactMap { card in
      let connectors = connectors(of: card).map { connector($0, of: card) }
      guard !connectors.isEmpty else { return nil }
      let node = "/dev/dri/\(card)"
      return CardSight(
        node: node, driver: driver("\(Self.drm)/\(card)/device") ?? "unknown", facts: files.facts(node),
        connectors: connectors, holders: files.holders(of: node), master: files.drmMaster(of: node).map(files.process))
    }
  }

  private func connector(_ name: String, of card: String) -> ConnectorSight {
    let folder = "\(Self.drm)/\(card)-\(name)"
    let override = files.bytes("/sys/kernel/debug/dri/\(card.dropFirst(4))/\(name)/edid_override", atMost: 1)
    return ConnectorSight(
      name: name, isConnected: files.line("\(folder)/status") == "connected",
      // 256 blocks are the most that an EDID can have.
      edid: files.bytes("\(folder)/edid", atMost: 32768) ?? [], isOverridden: override?.isEmpty == false)
  }

  private func driver(_ device: String) -> String? {
    files.link("\(device)/driver")?.split(separator: "/").last.map(String.init)
  }

  /// PCI's class 03 are display controllers.
  func adapters() -> [Adapter] {
    let bus = "/sys/bus/pci/devices"
    return files.names(in: bus).sorted().filter { files.line("\(bus)/\($0)/class")?.hasPrefix("0x03") ?? false }
      .map { address in
        let device = "\(bus)/\(address)"
        let identity = ["vendor", "device"].map { String((files.line("\(device)/\($0)") ?? "0x????").dropFirst(2)) }
        return Adapter(address: address, identity: identity.joined(separator: ":"), driver: adapterDriver(device))
      }
  }

  /// Of a device behind virtio-pci it is the virtio device's driver that counts.
  private func adapterDriver(_ device: String) -> String? {
    let driver = driver(device)
    guard driver == "virtio-pci" else { return driver }
    let inner = files.names(in: device).first { $0.hasPrefix("virtio") && UInt32($0.dropFirst(6)) != nil }
    return inner.flatMap { self.driver("\(device)/\($0)") }
  }

  /// The terminal in front, and its mode (ioctl_console(2), KDGETMODE).
  func terminal() -> TerminalSight? {
    guard let name = files.line("/sys/class/tty/tty0/active"), !name.isEmpty else { return nil }
    let node = "/dev/\(name)"
    let descriptor = unsafe open(files.root + node, O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return TerminalSight(name: name, mode: .unseen) }
    defer { close(descriptor) }
    var mode: Int32 = 0
    guard unsafe ioctl(descriptor, UInt(KDGETMODE), &mode) == 0 else { return TerminalSight(name: name, mode: .unseen) }
    guard mode == KD_GRAPHICS else { return TerminalSight(name: name, mode: .text) }
    return TerminalSight(name: name, mode: .graphics, holders: files.holders(of: node).filter { $0.pid != getpid() })
  }
}
