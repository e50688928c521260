import Primitives

/// The conditions that select monitors in a configuration.
///
/// All given conditions must hold.
///
/// Texts can contain wildcards (`*` for any characters or none, `?` for one character) and are case-sensitive.
package struct MonitorMatch: Hashable, Sendable {
  /// The three-letter manufacturer ID.
  package var vendor: String?
  /// The manufacturer's product code.
  package var product: UInt16?
  /// The serial number.
  package var serial: UInt32?
  /// The serial number in text form.
  package var serialString: String?
  /// The monitor's name.
  package var name: String?
  /// The identifier that reports show (`DEL-A0C4-1f2e3d4c5b6a7988`).
  ///
  /// The location of one of several identical monitors (`@HDMI-A-1`) is optional. The EDID's hash alone
  /// (`1f2e3d4c5b6a7988`) also matches.
  package var identity: String?
  /// The connector's name, such as `HDMI-A-1`.
  package var connector: String?
  /// The connector's PATH property.
  package var path: String?
  /// The role of the display.
  package var role: Role?

  /// Creates a match from the given conditions.
  package init(
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

  /// True if no condition is given.
  ///
  /// An empty match selects no monitor, because it would otherwise select all.
  package var isEmpty: Bool { self == MonitorMatch() }

  /// Returns whether all conditions hold for a monitor on its current connector.
  ///
  /// - Parameters:
  ///   - monitor: The monitor.
  ///   - role: The role of the display.
  /// - Returns: True if the match is not empty and all conditions hold.
  package func matches(_ monitor: MonitorIdentity, role: Role = .external) -> Bool {
    !isEmpty && agrees(self.role, role) && agrees(product, monitor.product) && agrees(serial, monitor.serial)
      && fits(vendor, monitor.vendor) && fits(serialString, monitor.serialString) && fits(name, monitor.name)
      && fits(connector, monitor.connector) && fits(path, monitor.path) && identityFits(monitor)
  }

  private func agrees<T: Equatable>(_ wanted: T?, _ found: T?) -> Bool { wanted == nil || wanted == found }

  /// Returns true if the text matches the pattern.
  ///
  /// A missing text matches no pattern, not even `*`.
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
  /// The conditions as written in a configuration, such as `vendor = "DEL", name = "DELL*"`.
  package var description: String {
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
