/// An event of the guest's kernel about a device, from the uevent netlink socket.
public struct Uevent: Sendable, Equatable, CustomStringConvertible {
  /// The time of its receipt in the guest, in nanoseconds of the guest's CLOCK_MONOTONIC.
  public let nanoseconds: UInt64
  /// The action, such as "add", "remove" or "change".
  public let action: String
  /// The device path below /sys, such as "/devices/pci0000:00/0000:00:02.0/drm/card0".
  public let path: String
  /// All properties of the event: ACTION, DEVPATH, SUBSYSTEM, HOTPLUG and others.
  public let properties: [String: String]

  /// Returns the value of a property, such as `event["SUBSYSTEM"]`.
  public subscript(name: String) -> String? { properties[name] }

  /// Whether the event reports that a monitor was connected, disconnected or changed.
  public var isHotplug: Bool { properties["SUBSYSTEM"] == "drm" && properties["HOTPLUG"] == "1" }

  /// The event as one line: time in seconds, action, path, and the properties sorted by name.
  public var description: String {
    let micro = nanoseconds / 1000
    let fraction = String(micro % 1_000_000)
    let time = "\(micro / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    let rest = properties.filter { $0.key != "ACTION" && $0.key != "DEVPATH" }
      .sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    return "\(time) \(action) \(path)\(rest)"
  }

  /// Parses "action@devpath" and NAME=value pairs, each terminated by a NUL byte (kernel: lib/kobject_uevent.c).
  ///
  /// Fails for other formats, such as udev's own messages.
  init?(nanoseconds: UInt64, message: [UInt8]) {
    let parts = message.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    guard let head = parts.first, let at = head.firstIndex(of: "@") else { return nil }
    var properties: [String: String] = [:]
    for part in parts.dropFirst() {
      guard let equals = part.firstIndex(of: "=") else { continue }
      properties[String(part[..<equals])] = String(part[part.index(after: equals)...])
    }
    self.nanoseconds = nanoseconds
    self.action = String(head[..<at])
    self.path = String(head[head.index(after: at)...])
    self.properties = properties
  }
}
