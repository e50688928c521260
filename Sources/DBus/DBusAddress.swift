/// Where a bus listens (D-Bus specification, "Server Addresses"): Unix sockets only.
public struct DBusAddress: Hashable, Sendable {
  /// The bytes of `sun_path`; an abstract name begins with a NUL.
  public let path: [UInt8]

  /// The system bus where nobody says otherwise.
  public static let system = DBusAddress(path: Array("/run/dbus/system_bus_socket".utf8))

  /// The addresses of a list as DBUS_SYSTEM_BUS_ADDRESS has it, in its order: `unix:path=/a;unix:abstract=b`. Transports
  /// other than these two, and what is no address, are left out.
  public static func list(_ text: String) -> [DBusAddress] {
    text.utf8.split(separator: UInt8(ascii: ";")).compactMap { DBusAddress(Substring($0)) }
  }

  private init(path: [UInt8]) { self.path = path }

  private init?(_ text: Substring) {
    guard text.hasPrefix("unix:") else { return nil }
    for pair in text.dropFirst(5).split(separator: ",") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let value = Self.unescaped(parts[1]) else { continue }
      switch parts[0] {
      case "path": path = value
      case "abstract": path = [0] + value
      default: continue
      }
      return
    }
    return nil
  }

  /// Bytes stand for themselves or as `%2f`; nil where a percent sign has no two digits behind it.
  private static func unescaped(_ text: Substring) -> [UInt8]? {
    var rest = text.utf8[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let value = UInt8(String(Substring(rest.prefix(2))), radix: 16), rest.count >= 2 else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
