/// One packet of USB redirection, by which a USB device is played over a stream of bytes to a machine that believes that
/// the device is plugged into it (usbredir's docs/usb-redirection-protocol.md, version 0.7).
struct RedirPacket: Equatable {
  /// What a packet is for, by its number in the protocol.
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

  /// A kind, or the number of one that nobody here needs.
  var kind: UInt32
  /// The machine's number for a request, which the answer repeats; 0 for what nobody asked for.
  var id: UInt64
  /// The kind's own header and data.
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

/// How a transfer ended, by its number in the protocol.
enum RedirStatus: UInt8 {
  case success = 0
  case invalid = 2
  case stall = 4
}

/// What a side knows of the protocol beyond its first version: both must know a thing before either uses it.
struct RedirCapabilities: OptionSet {
  let rawValue: UInt32

  /// A device tells its version when it connects.
  static let deviceVersion = RedirCapabilities(rawValue: 1 << 1)
  /// Endpoints tell the size of their packets.
  static let packetSizes = RedirCapabilities(rawValue: 1 << 4)
  /// Requests are numbered with 64 bits.
  static let wideIDs = RedirCapabilities(rawValue: 1 << 5)
  /// Bulk transfers may be larger than 64 KiB.
  static let longTransfers = RedirCapabilities(rawValue: 1 << 6)

  /// What this side knows.
  static let own: RedirCapabilities = [.deviceVersion, .packetSizes, .wideIDs, .longTransfers]
}
