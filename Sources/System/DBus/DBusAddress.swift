import Primitives

/// A server address of a message bus (D-Bus specification, "Server Addresses"), limited to Unix sockets.
package struct DBusAddress: Hashable, Sendable {
  /// The bytes of `sun_path`.
  ///
  /// An abstract socket name begins with a NUL byte.
  package let path: [UInt8]

  /// The default address of the system bus.
  package static let system = DBusAddress(path: Array("/run/dbus/system_bus_socket".utf8))

  /// Parses a list of server addresses in the format of DBUS_SYSTEM_BUS_ADDRESS.
  ///
  /// - Parameter text: Addresses separated by semicolons, such as `unix:path=/a;unix:abstract=b`.
  /// - Returns: The addresses in list order. Malformed addresses and transports other than `unix:path` and
  ///   `unix:abstract` are omitted.
  package static func list(_ text: String) -> [DBusAddress] {
    text.utf8.split(separator: UInt8(ascii: ";")).compactMap { DBusAddress(Substring($0)) }
  }

  private init(path: [UInt8]) { self.path = path }

  private init?(_ text: Substring) {
    guard text.hasPrefix("unix:") else { return nil }
    for pair in text.dropFirst(5).split(separator: ",") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let value = PercentEncoding.decode(parts[1].utf8) else { continue }
      switch parts[0] {
      case "path": path = value
      case "abstract": path = [0] + value
      default: continue
      }
      return
    }
    return nil
  }
}
