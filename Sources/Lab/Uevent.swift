/// One message of the guest's kernel about a device, as its uevent socket gave it.
public struct Uevent: Sendable, Equatable, CustomStringConvertible {
  /// When the guest received it: nanoseconds of the guest's CLOCK_MONOTONIC.
  public let nanoseconds: UInt64
  /// "add", "remove", "change", ...
  public let action: String
  /// The device's path below /sys, e.g. "/devices/pci0000:00/0000:00:02.0/drm/card0".
  public let path: String
  /// All that the kernel said: ACTION, DEVPATH, SUBSYSTEM, HOTPLUG, ...
  public let properties: [String: String]

  /// The value of a property, e.g. `event["SUBSYSTEM"]`.
  public subscript(name: String) -> String? { properties[name] }

  /// Whether it tells of a monitor that came, went or changed.
  public var isHotplug: Bool { properties["SUBSYSTEM"] == "drm" && properties["HOTPLUG"] == "1" }

  /// One line: time in seconds, action, path, then the properties by name.
  public var description: String {
    let micro = nanoseconds / 1000
    let fraction = String(micro % 1_000_000)
    let time = "\(micro / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    let rest = properties.filter { $0.key != "ACTION" && $0.key != "DEVPATH" }
      .sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    return "\(time) \(action) \(path)\(rest)"
  }

  /// Reads "action@devpath", then NAME=value, each ended by a zero byte (kernel: lib/kobject_uevent.c); nil for what
  /// is not of that form, such as udev's own messages.
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
