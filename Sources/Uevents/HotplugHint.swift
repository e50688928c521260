/// That something may have changed at the displays. It is never more than a hint: probe and compare.
public enum HotplugHint: Hashable, Sendable {
  /// A card came; its node, `/dev/dri/card1`. The node may need a moment until it is there.
  case cardAdded(String)
  /// A card is gone; its node.
  case cardRemoved(String)
  /// Connectors of this card (its node) may have changed. The connector's object id is there only on newer kernels and
  /// when exactly one changed; with a property's id it is that property that changed, and nothing was plugged.
  case connectors(card: String, connector: UInt32?, property: UInt32?)
  /// Hints were lost: look at everything again.
  case overflow
}

extension HotplugHint {
  /// The hint in a message of the kernel; nil for what has nothing to do with displays.
  ///
  /// drm_sysfs_hotplug_event() and its kin send `change` with `HOTPLUG=1`; a `change` that somebody asked for through
  /// sysfs (`SYNTH_UUID`, as `udevadm trigger` does) counts, too. Connectors that come and go by themselves (MST) are
  /// devices below their card since Linux 5.17.
  public init?(_ event: Uevent) {
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

  /// `card0` from `/devices/.../drm/card0` or from a connector below it; nil for render nodes and the class itself.
  private static func card(of event: Uevent) -> Substring? {
    let parts = event.devicePath.split(separator: "/")
    guard let drm = parts.lastIndex(of: "drm"), drm + 1 < parts.count else { return nil }
    let card = parts[drm + 1]
    return card.hasPrefix("card") && UInt32(card.dropFirst(4)) != nil ? card : nil
  }
}
