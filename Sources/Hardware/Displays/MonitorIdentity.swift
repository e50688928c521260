import Primitives

/// The identity of a monitor.
///
/// Serial numbers alone do not identify a monitor: half of all real EDIDs share vendor, product and serial number with
/// another one. The identity is therefore the hash of the whole EDID, while configurations match the individual fields.
/// Identical monitors and monitors without an EDID are distinguished by the connector's PATH or name.
package struct MonitorIdentity: Hashable, Sendable {
  /// The FNV-1a hash (64 bits) of all EDID bytes; nil without an EDID.
  ///
  /// It is not a cryptographic hash.
  package var edidHash: UInt64?
  /// The three-letter manufacturer ID.
  ///
  /// This and the next four properties are nil without a readable EDID.
  package var vendor: String?
  /// The manufacturer's product code.
  package var product: UInt16?
  /// The serial number; nil if it is 0.
  package var serial: UInt32?
  /// The serial number in text form, without surrounding spaces.
  package var serialString: String?
  /// The monitor's name, without surrounding spaces.
  package var name: String?
  /// True if the EDID's checksum is wrong: the fields may be false, and the hash is that of the corrupt bytes.
  package var isDegraded = false
  /// The PATH property of an MST connector; nil for other connectors.
  package var path: String?
  /// The connector's name, such as `HDMI-A-1`.
  package var connector: String

  /// Creates the identity of a monitor from its EDID and its connector.
  ///
  /// - Parameters:
  ///   - bytes: The EDID; empty if there is none.
  ///   - connector: The connector's name.
  ///   - path: The connector's PATH property; nil if it has none.
  package init(edid bytes: [UInt8], connector: String, path: String? = nil) {
    self.connector = connector
    self.path = path
    edidHash = bytes.isEmpty ? nil : FNV1a.hash(bytes)
    guard let edid = try? EDID(bytes) else { return }
    isDegraded = edid.isDegraded
    vendor = edid.vendor
    product = edid.product
    serial = edid.serial == 0 ? nil : edid.serial
    serialString = edid.serialStrings.lazy.compactMap(Self.trimmed).first
    name = edid.names.lazy.compactMap(Self.trimmed).first
  }

  /// Creates the identity of the monitor on a connector.
  package init(_ connector: ConnectorSnapshot) {
    self.init(edid: connector.edid, connector: connector.name, path: connector.path)
  }

  private static func trimmed(_ text: String) -> String? {
    guard let first = text.firstIndex(where: { $0 != " " }), let last = text.lastIndex(where: { $0 != " " }) else {
      return nil
    }
    return String(text[first...last])
  }
}

extension MonitorIdentity: CustomStringConvertible {
  /// The stable identifier for reports and configurations, such as `DEL-A0C4-1f2e3d4c5b6a7988`.
  ///
  /// It is `EDID-...` if the EDID cannot be parsed, and `PATH-mst:...` or `PORT-HDMI-A-1` if there is no EDID.
  /// Identical monitors have the same text; see `distinct`.
  package var text: String {
    guard let edidHash else { return path.map { "PATH-\($0)" } ?? "PORT-\(connector)" }
    guard let vendor, let product else { return "EDID-" + Hex.digits(edidHash, 16) }
    return "\(vendor)-" + Hex.digits(UInt64(product), 4).uppercased() + "-" + Hex.digits(edidHash, 16)
  }

  /// The same as `text`.
  package var description: String { text }

  /// The display name: vendor and name (`DEL DELL U2720Q`), vendor and product, or `monitor on HDMI-A-1`.
  package var label: String {
    guard let vendor, let product else { return "monitor on \(connector)" }
    return "\(vendor) " + (name ?? Hex.digits(UInt64(product), 4).uppercased())
  }

  /// The location that distinguishes identical monitors.
  ///
  /// MST connectors get new names over time but keep their path.
  package var place: String { path ?? connector }

  /// Returns unique texts for some monitors.
  ///
  /// - Parameter identities: The monitors.
  /// - Returns: Their texts, in the same order. Identical monitors get a suffix of `@` and their location.
  package static func distinct(_ identities: [MonitorIdentity]) -> [String] {
    var counts: [String: Int] = [:]
    for identity in identities { counts[identity.text, default: 0] += 1 }
    return identities.map { counts[$0.text] == 1 ? $0.text : "\($0.text)@\($0.place)" }
  }
}
