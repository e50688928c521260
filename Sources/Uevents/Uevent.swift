/// A message of the kernel's netlink group: what happened to which device.
///
/// The bytes are `change@/devices/...` and then `KEY=value` pairs, each ended by a zero byte
/// (lib/kobject_uevent.c). What cannot be read is nil, and nothing traps, whatever bytes come.
public struct Uevent: Hashable, Sendable {
  /// `add`, `remove`, `change` and so on.
  public var action: String
  /// The device's path below /sys, `/devices/pci0000:00/0000:00:02.0/drm/card0`.
  public var devicePath: String
  /// All pairs; of a key that is there twice the last one counts.
  public var fields: [String: String]

  /// An event from its parts.
  public init(action: String, devicePath: String, fields: [String: String]) {
    self.action = action
    self.devicePath = devicePath
    self.fields = fields
  }

  /// Reads a message; nil for what is none of the kernel's: udev's own start with `libudev`, and have no `@`.
  public init?(_ bytes: some Collection<UInt8>) {
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
