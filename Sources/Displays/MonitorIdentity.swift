/// Who a monitor is, as well as can be told.
///
/// Serial numbers alone are no identity (half of all real EDIDs share vendor, product and serial with another), so it
/// is the hash of the whole EDID; what people write in a configuration comes from the fields; and twins, or monitors
/// without an EDID, are told apart by the connector's PATH and name.
public struct MonitorIdentity: Hashable, Sendable {
  /// FNV-1a (64 bit) of all EDID bytes; nil without an EDID. It tells monitors apart, it does not protect anything.
  public var edidHash: UInt64?
  /// The manufacturer's three letters; nil without a readable EDID, as are the next four.
  public var vendor: String?
  /// The manufacturer's product code.
  public var product: UInt16?
  /// The serial number; nil where it is 0, too.
  public var serial: UInt32?
  /// The serial number as text, without the spaces around it.
  public var serialString: String?
  /// The monitor's name, without the spaces around it.
  public var name: String?
  /// The EDID's checksum is wrong: vendor, product, serial and names may be false, the hash is that of the bytes.
  public var isDegraded = false
  /// The connector's PATH property (MST), where there is one.
  public var path: String?
  /// The connector's name, `HDMI-A-1`.
  public var connector: String

  /// The identity of what these EDID bytes (empty where there is none) describe, on this connector.
  public init(edid bytes: [UInt8], connector: String, path: String? = nil) {
    self.connector = connector
    self.path = path
    edidHash = bytes.isEmpty ? nil : Self.hash(bytes)
    guard let edid = try? EDID(bytes) else { return }
    isDegraded = edid.isDegraded
    vendor = edid.vendor
    product = edid.product
    serial = edid.serial == 0 ? nil : edid.serial
    serialString = edid.serialStrings.lazy.compactMap(Self.trimmed).first
    name = edid.names.lazy.compactMap(Self.trimmed).first
  }

  /// The identity of what is plugged into this connector.
  public init(_ connector: ConnectorSnapshot) {
    self.init(edid: connector.edid, connector: connector.name, path: connector.path)
  }

  /// FNV-1a, 64 bit (RFC 9923): the same for the same bytes, on every machine and in every version.
  static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }

  private static func trimmed(_ text: String) -> String? {
    guard let first = text.firstIndex(where: { $0 != " " }), let last = text.lastIndex(where: { $0 != " " }) else {
      return nil
    }
    return String(text[first...last])
  }
}

extension MonitorIdentity: CustomStringConvertible {
  /// A stable text for reports and configurations: `DEL-A0C4-1f2e3d4c5b6a7988`; `EDID-...` where the EDID cannot be
  /// read, and `PATH-mst:...` or `PORT-HDMI-A-1` where there is none. Twins have the same: see `distinct`.
  public var text: String {
    guard let edidHash else { return path.map { "PATH-\($0)" } ?? "PORT-\(connector)" }
    guard let vendor, let product else { return "EDID-" + Hex.digits(edidHash, 16) }
    return "\(vendor)-" + Hex.digits(UInt64(product), 4).uppercased() + "-" + Hex.digits(edidHash, 16)
  }

  /// The same as `text`.
  public var description: String { text }

  /// What people call it: vendor and name (`DEL DELL U2720Q`), or vendor and product, or `monitor on HDMI-A-1`.
  public var label: String {
    guard let vendor, let product else { return "monitor on \(connector)" }
    return "\(vendor) " + (name ?? Hex.digits(UInt64(product), 4).uppercased())
  }

  /// Where the monitor is: what tells twins apart. MST connectors come and go under new names, but keep their path.
  public var place: String { path ?? connector }

  /// The texts of some monitors; twins get `@` and their place behind it, so each text is there once.
  public static func distinct(_ identities: [MonitorIdentity]) -> [String] {
    var counts: [String: Int] = [:]
    for identity in identities { counts[identity.text, default: 0] += 1 }
    return identities.map { counts[$0.text] == 1 ? $0.text : "\($0.text)@\($0.place)" }
  }
}

/// Hexadecimal digits without Foundation.
enum Hex {
  /// The number in lower case, filled with zeroes to this many digits.
  static func digits(_ number: UInt64, _ count: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
