/// Which monitors a part of a configuration is for: everything that is given must be true of one.
///
/// All texts may hold wildcards (`*` any letters or none, `?` one letter); capital and small letters differ.
public struct MonitorMatch: Hashable, Sendable {
  /// The manufacturer's three letters.
  public var vendor: String?
  /// The manufacturer's product code.
  public var product: UInt16?
  /// The serial number.
  public var serial: UInt32?
  /// The serial number as text.
  public var serialString: String?
  /// The name that the monitor gives itself.
  public var name: String?
  /// The text that reports show (`DEL-A0C4-1f2e3d4c5b6a7988`), with or without the place of a twin (`@HDMI-A-1`), or
  /// the EDID's hash alone (`1f2e3d4c5b6a7988`).
  public var identity: String?
  /// The connector's name, `HDMI-A-1`.
  public var connector: String?
  /// The connector's PATH property.
  public var path: String?
  /// What the display is for.
  public var role: Role?

  /// A match for what is given.
  public init(
    vendor: String? = nil, product: UInt16? = nil, serial: UInt32? = nil, serialString: String? = nil,
    name: String? = nil, identity: String? = nil, connector: String? = nil, path: String? = nil, role: Role? = nil
  ) {
    self.vendor = vendor
    self.product = product
    self.serial = serial
    self.serialString = serialString
    self.name = name
    self.identity = identity
    self.connector = connector
    self.path = path
    self.role = role
  }

  /// Nothing is given: it matches no monitor, since it would match all.
  public var isEmpty: Bool { self == MonitorMatch() }

  /// Whether all that is given is true of this monitor, where it is plugged in now.
  public func matches(_ monitor: MonitorIdentity, role: Role = .external) -> Bool {
    !isEmpty && agrees(self.role, role) && agrees(product, monitor.product) && agrees(serial, monitor.serial)
      && fits(vendor, monitor.vendor) && fits(serialString, monitor.serialString) && fits(name, monitor.name)
      && fits(connector, monitor.connector) && fits(path, monitor.path) && identityFits(monitor)
  }

  private func agrees<T: Equatable>(_ wanted: T?, _ found: T?) -> Bool { wanted == nil || wanted == found }

  /// What a monitor does not have fits nothing, not even `*`.
  private func fits(_ pattern: String?, _ found: String?) -> Bool {
    guard let pattern else { return true }
    return found.map { Wildcards.fit($0, pattern) } ?? false
  }

  private func identityFits(_ monitor: MonitorIdentity) -> Bool {
    let texts =
      [monitor.text, "\(monitor.text)@\(monitor.place)"] + (monitor.edidHash.map { [Hex.digits($0, 16)] } ?? [])
    return texts.contains { fits(identity, $0) }
  }
}

extension MonitorMatch: CustomStringConvertible {
  /// As it is written in a configuration: `vendor = "DEL", name = "DELL*"`.
  public var description: String {
    let numbers = [
      ("product", product.map { "0x" + Hex.digits(UInt64($0), 4).uppercased() }), ("serial", serial.map(String.init)),
    ]
    let texts = [
      ("serial_string", serialString), ("name", name), ("identity", identity), ("connector", connector),
      ("path", path), ("role", role?.rawValue),
    ]
    let given = [("vendor", vendor.map(quoted))] + numbers + texts.map { ($0.0, $0.1.map(quoted)) }
    return given.compactMap { key, value in value.map { "\(key) = \($0)" } }.joined(separator: ", ")
  }

  private func quoted(_ text: String) -> String { "\"\(text)\"" }
}
