import Displays
import Ordering
import SystemFiles

extension SystemFiles {
  private static let drm = "/sys/class/drm"

  /// Returns a card that is not open, as sysfs shows it after the last probe by any program.
  ///
  /// - Parameters:
  ///   - path: The device node, such as `/dev/dri/card0`.
  ///   - darkness: The category of the reason that its displays are dark.
  ///   - reason: The reason, as a sentence.
  ///   - readsEDIDs: False to leave the EDIDs empty: reading one waits for the kernel's lock of the card.
  /// - Returns: The card with the connectors that a monitor can be plugged into, in the natural order of their names.
  func waitingCard(
    _ path: String, _ darkness: Darkness, because reason: String, readsEDIDs: Bool = true
  ) -> WaitingCard {
    let card = path.split(separator: "/").last.map(String.init) ?? path
    let prefix = card + "-"
    let connectors = names(in: Self.drm).filter { $0.hasPrefix(prefix) }.naturallySorted().compactMap { name in
      unopenedConnector(String(name.dropFirst(prefix.count)), in: "\(Self.drm)/\(name)", readsEDIDs)
    }
    return WaitingCard(
      path: path, reason: reason, darkness: darkness,
      driver: link("\(Self.drm)/\(card)/device/driver")?.split(separator: "/").last.map(String.init),
      connectors: connectors)
  }

  /// Returns a connector of a card that is not open, or nil for a type that has no display.
  private func unopenedConnector(_ name: String, in folder: String, _ readsEDIDs: Bool) -> ConnectorSnapshot? {
    // The kernel's name consists of the type's name and the connector's index (drm_connector_init).
    let words = name.split(separator: "-")
    guard words.count > 1, let kind = ConnectorKind(named: words.dropLast().joined(separator: "-")), kind.role != nil
    else { return nil }
    let status: ConnectionStatus =
      switch line("\(folder)/status") {
      case "connected": .connected
      case "disconnected": .disconnected
      default: .unknown
      }
    // An EDID has at most 256 blocks.
    return ConnectorSnapshot(
      id: 0, name: name, kind: kind, status: status,
      edid: readsEDIDs ? bytes("\(folder)/edid", atMost: 32768) ?? [] : [])
  }
}
