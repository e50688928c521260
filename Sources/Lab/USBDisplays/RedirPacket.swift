/// A packet of the usbredir protocol, which emulates a USB device for a virtual machine over a byte stream.
///
/// The protocol is described in usbredir's docs/usb-redirection-protocol.md, version 0.7.
struct RedirPacket: Equatable {
  /// The packet types of the protocol.
  enum Kind: UInt32 {
    case hello = 0
    case deviceConnect = 1
    case deviceDisconnect = 2
    case reset = 3
    case interfaceInfo = 4
    case endpointInfo = 5
    case setConfiguration = 6
    case getConfiguration = 7
    case configurationStatus = 8
    case setAlternate = 9
    case getAlternate = 10
    case alternateStatus = 11
    case startInterruptReceiving = 15
    case interruptReceivingStatus = 17
    case cancelData = 21
    case control = 100
    case bulk = 101
  }

  /// The packet type.
  ///
  /// Types that are missing from `Kind` are kept as numbers.
  var kind: UInt32
  /// The request ID that the virtual machine assigned.
  ///
  /// Replies repeat it. It is 0 for unsolicited packets.
  var id: UInt64
  /// The type-specific header and the data.
  var payload: [UInt8]

  init(_ kind: Kind, id: UInt64 = 0, _ payload: [UInt8] = []) {
    self.init(kind: kind.rawValue, id: id, payload: payload)
  }

  init(kind: UInt32, id: UInt64, payload: [UInt8]) {
    self.kind = kind
    self.id = id
    self.payload = payload
  }
}

/// The status codes of completed transfers.
enum RedirStatus: UInt8 {
  case success = 0
  case invalid = 2
  case stall = 4
}

/// Optional protocol features.
///
/// A feature is used only if both sides support it.
struct RedirCapabilities: OptionSet {
  let rawValue: UInt32

  /// The device-connect packet contains the device version.
  static let deviceVersion = RedirCapabilities(rawValue: 1 << 1)
  /// The endpoint info contains maximum packet sizes.
  static let packetSizes = RedirCapabilities(rawValue: 1 << 4)
  /// Request IDs have 64 bits.
  static let wideIDs = RedirCapabilities(rawValue: 1 << 5)
  /// Bulk transfers can exceed 64 KiB.
  static let longTransfers = RedirCapabilities(rawValue: 1 << 6)

  /// The features that this side supports.
  static let own: RedirCapabilities = [.deviceVersion, .packetSizes, .wideIDs, .longTransfers]
}
