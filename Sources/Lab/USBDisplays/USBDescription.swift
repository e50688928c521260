/// The identification and descriptors of a USB device (USB 2.0 specification, chapter 9).
///
/// The device has one configuration with one vendor-specific interface. Endpoint 1 accepts bulk transfers at high
/// speed.
public struct USBDescription: Sendable, Hashable {
  /// The USB vendor ID.
  public var vendor: UInt16
  /// The USB product ID.
  public var product: UInt16
  /// The manufacturer string.
  public var manufacturer: String
  /// The product string.
  public var name: String
  /// The serial number string, to distinguish devices of the same model.
  public var serial: String

  /// The device release number (bcdDevice).
  static let version: UInt16 = 0x0100
  static let interfaceClass: UInt8 = 0xFF
  static let bulkOutEndpoint: UInt8 = 0x01
  static let bulkPacketSize: UInt16 = 512
  static let controlPacketSize: UInt8 = 64

  private enum Kind: UInt8 {
    case device = 1
    case configuration = 2
    case string = 3
    case interface = 4
    case endpoint = 5
    case qualifier = 6
  }

  /// Returns the descriptor with the type and index of a GET_DESCRIPTOR request, or nil if it does not exist.
  func descriptor(kind: UInt8, index: UInt8) -> [UInt8]? {
    switch Kind(rawValue: kind) {
    case .device: device
    case .configuration where index == 0: configuration
    case .string: string(index)
    case .qualifier:
      [10, Kind.qualifier.rawValue, 0x00, 0x02, 0, 0, 0, Self.controlPacketSize, 1, 0]
    default: nil
    }
  }

  private var device: [UInt8] {
    var bytes: [UInt8] = [18, Kind.device.rawValue, 0x00, 0x02, 0, 0, 0, Self.controlPacketSize]
    bytes.append(littleEndian: vendor)
    bytes.append(littleEndian: product)
    bytes.append(littleEndian: Self.version)
    return bytes + [1, 2, 3, 1]
  }

  private var configuration: [UInt8] {
    let interface: [UInt8] = [9, Kind.interface.rawValue, 0, 0, 1, Self.interfaceClass, 0, 0, 2]
    var endpoint: [UInt8] = [7, Kind.endpoint.rawValue, Self.bulkOutEndpoint, 2]
    endpoint.append(littleEndian: Self.bulkPacketSize)
    endpoint.append(0)
    let total = UInt16(9 + interface.count + endpoint.count)
    // The attributes below mean bus-powered, 500 mA.
    var head: [UInt8] = [9, Kind.configuration.rawValue]
    head.append(littleEndian: total)
    return head + [1, 1, 0, 0x80, 250] + interface + endpoint
  }

  /// Returns a string descriptor.
  ///
  /// String 0 lists the supported languages: US English.
  private func string(_ index: UInt8) -> [UInt8]? {
    let texts = [manufacturer, name, serial]
    if index == 0 { return [4, Kind.string.rawValue, 0x09, 0x04] }
    guard index <= texts.count else { return nil }
    var bytes: [UInt8] = []
    for unit in texts[Int(index) - 1].utf16.prefix(126) { bytes.append(littleEndian: unit) }
    return [UInt8(bytes.count + 2), Kind.string.rawValue] + bytes
  }
}
