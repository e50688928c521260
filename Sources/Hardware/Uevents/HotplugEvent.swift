/// A hotplug event: displays may have changed.
///
/// Receivers must probe and compare, because an event is only a hint.
package enum HotplugEvent: Hashable, Sendable {
  /// A card was added.
  ///
  /// Its node, such as `/dev/dri/card1`, may not exist yet.
  case cardAdded(String)
  /// A card was removed; its node.
  case cardRemoved(String)
  /// Connectors of a card, given by its node, may have changed.
  ///
  /// The connector's object ID is set only by newer kernels, and only if exactly one connector changed. If a property
  /// ID is set, that property changed and no monitor was plugged or unplugged.
  case connectors(card: String, connector: UInt32?, property: UInt32?)
  /// Events were lost: probe everything.
  case overflow
}

extension HotplugEvent {
  /// Creates the hotplug event of a kernel message, or returns nil if the message does not concern displays.
  ///
  /// drm_sysfs_hotplug_event() and related functions send `change` with `HOTPLUG=1`. A `change` that was triggered
  /// through sysfs (with `SYNTH_UUID`, as by `udevadm trigger`) also counts. Dynamic connectors (MST) are devices below
  /// their card since Linux 5.17.
  ///
  /// - Parameter event: The kernel message.
  package init?(_ event: Uevent) {
    guard event.fields["SUBSYSTEM"] == "drm", let card = Self.card(of: event) else { return nil }
    let node = "/dev/dri/\(card)"
    let isCard = event.devicePath.hasSuffix("/\(card)")
    switch event.action {
    case "add": self = isCard ? .cardAdded(node) : .connectors(card: node, connector: nil, property: nil)
    case "remove": self = isCard ? .cardRemoved(node) : .connectors(card: node, connector: nil, property: nil)
    case "change":
      guard event.fields["HOTPLUG"] == "1" || event.fields["SYNTH_UUID"] != nil else { return nil }
      self = .connectors(
        card: node, connector: event.fields["CONNECTOR"].flatMap { UInt32($0) },
        property: event.fields["PROPERTY"].flatMap { UInt32($0) })
    default: return nil
    }
  }

  /// Returns `card0` for `/devices/.../drm/card0` or a connector below it, and nil for render nodes and the class
  /// itself.
  private static func card(of event: Uevent) -> Substring? {
    let parts = event.devicePath.split(separator: "/")
    guard let drm = parts.lastIndex(of: "drm"), drm + 1 < parts.count else { return nil }
    let card = parts[drm + 1]
    return card.hasPrefix("card") && UInt32(card.dropFirst(4)) != nil ? card : nil
  }
}
