/// A message of the kernel's netlink group: an action on a device.
///
/// The bytes are `change@/devices/...` followed by `KEY=value` pairs, each ended by a zero byte (lib/kobject_uevent.c).
/// Parsing returns nil for invalid messages and never traps.
package struct Uevent: Hashable, Sendable {
  /// The action, such as `add`, `remove` or `change`.
  package var action: String
  /// The device's path below /sys, such as `/devices/pci0000:00/0000:00:02.0/drm/card0`.
  package var devicePath: String
  /// The key-value pairs.
  ///
  /// For a duplicate key, the last value is kept.
  package var fields: [String: String]

  /// Creates a message.
  package init(action: String, devicePath: String, fields: [String: String]) {
    self.action = action
    self.devicePath = devicePath
    self.fields = fields
  }

  /// Parses a message, or returns nil if it does not come from the kernel.
  ///
  /// Messages of udev start with `libudev` and contain no `@` in their first part.
  ///
  /// - Parameter bytes: One datagram.
  package init?(_ bytes: some Collection<UInt8>) {
    let parts = bytes.split(separator: 0)
    guard let head = parts.first, let at = head.firstIndex(of: UInt8(ascii: "@")), at != head.startIndex else {
      return nil
    }
    let path = head[head.index(after: at)...]
    guard path.first == UInt8(ascii: "/") else { return nil }
    self.init(
      action: String(decoding: head[..<at], as: UTF8.self), devicePath: String(decoding: path, as: UTF8.self),
      fields: Self.pairs(parts.dropFirst()))
  }

  private static func pairs<Part: Collection<UInt8>>(_ parts: some Sequence<Part>) -> [String: String] {
    var fields: [String: String] = [:]
    for part in parts {
      guard let equals = part.firstIndex(of: UInt8(ascii: "=")), equals != part.startIndex else { continue }
      let value = part[part.index(after: equals)...]
      fields[String(decoding: part[..<equals], as: UTF8.self)] = String(decoding: value, as: UTF8.self)
    }
    return fields
  }
}
