import Displays
import Ordering
import SystemFiles

extension SystemFiles {
  private static let drm = "/sys/class/drm"

  /// A card that is not open, as sysfs shows it: what the last probe of any program left there.
  ///
  /// - Parameters:
  ///   - path: The device node, `/dev/dri/card0`.
  ///   - darkness: Why its displays are dark, in a word.
  ///   - reason: The same in a sentence.
  /// - Returns: The card with the connectors that a monitor could be plugged into, in the order of their names.
  func waitingCard(_ path: String, _ darkness: Darkness, because reason: String) -> WaitingCard {
    let card = path.split(separator: "/").last.map(String.init) ?? path
    let prefix = card + "-"
    let connectors = names(in: Self.drm).filter { $0.hasPrefix(prefix) }.naturallySorted().compactMap { name in
      unopenedConnector(String(name.dropFirst(prefix.count)), in: "\(Self.drm)/\(name)")
    }
    return WaitingCard(
      path: path, reason: reason, darkness: darkness,
      driver: link("\(Self.drm)/\(card)/device/driver")?.split(separator: "/").last.map(String.init),
      connectors: connectors)
  }

  /// A connector of a card that is not open; nil for one that carries no display.
  private func unopenedConnector(_ name: String, in folder: String) -> ConnectorSnapshot? {
    // The kernel's name is the kind's name and the number of the socket (drm_connector_init).
    let words = name.split(separator: "-")
    guard words.count > 1, let kind = ConnectorKind(named: words.dropLast().joined(separator: "-")), kind.role != nil
    else { return nil }
    let status: ConnectionStatus =
      switch line("\(folder)/status") {
      case "connected": .connected
      case "disconnected": .disconnected
      default: .unknown
      }
    // 256 blocks are the most that an EDID can have.
    return ConnectorSnapshot(
      id: 0, name: name, kind: kind, status: status, edid: bytes("\(folder)/edid", atMost: 32768) ?? [])
  }
}
