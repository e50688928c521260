/// Which monitor a part of a configuration is for: everything that is given must be true of it.
public struct MonitorMatch: Hashable, Sendable {
  /// The manufacturer's three letters, in any case.
  public var vendor: String?
  /// The manufacturer's product code.
  public var product: UInt16?
  /// The serial number.
  public var serial: UInt32?
  /// The serial number as text.
  public var serialString: String?
  /// The name that the monitor gives itself, in any case.
  public var name: String?
  /// The text that reports show (`DEL-A0C4-1f2e3d4c5b6a7988`), with or without the place of a twin (`@HDMI-A-1`), or
  /// the hash alone.
  public var identity: String?
  /// The connector's name, `HDMI-A-1`.
  public var connector: String?
  /// The connector's PATH property.
  public var path: String?

  /// A match for what is given.
  public init(
    vendor: String? = nil, product: UInt16? = nil, serial: UInt32? = nil, serialString: String? = nil,
    name: String? = nil, identity: String? = nil, connector: String? = nil, path: String? = nil
  ) {
    self.vendor = vendor
    self.product = product
    self.serial = serial
    self.serialString = serialString
    self.name = name
    self.identity = identity
    self.connector = connector
    self.path = path
  }

  /// Nothing is given: it matches no monitor, since it would match all.
  public var isEmpty: Bool { self == MonitorMatch() }

  /// How many things are given: of several that match, the one with the most is meant.
  public var weight: Int {
    [vendor != nil, product != nil, serial != nil, serialString != nil, name != nil, identity != nil, connector != nil]
      .count(where: { $0 }) + (path == nil ? 0 : 1)
  }

  /// Whether all that is given is true of this monitor, where it is plugged in now.
  public func matches(_ monitor: MonitorIdentity) -> Bool {
    !isEmpty && agrees(vendor?.uppercased(), monitor.vendor?.uppercased()) && agrees(product, monitor.product)
      && agrees(serial, monitor.serial) && agrees(serialString, monitor.serialString)
      && agrees(name?.lowercased(), monitor.name?.lowercased()) && agrees(connector, monitor.connector)
      && agrees(path, monitor.path) && identityAgrees(monitor)
  }

  private func agrees<T: Equatable>(_ wanted: T?, _ found: T?) -> Bool { wanted == nil || wanted == found }

  private func identityAgrees(_ monitor: MonitorIdentity) -> Bool {
    guard let identity = identity?.lowercased() else { return true }
    let text = monitor.text.lowercased()
    let hash = monitor.edidHash.map { Hex.digits($0, 16) }
    return [text, "\(text)@\(monitor.place.lowercased())"].contains(identity) || identity == hash
  }
}
