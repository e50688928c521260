/// The requests of the kernel's USB display protocol (include/drm/gud.h).
enum GUDRequest: UInt8 {
  case getStatus = 0x00
  case getDescriptor = 0x01
  case getFormats = 0x40
  case getProperties = 0x41
  case getConnectors = 0x50
  case getConnectorProperties = 0x51
  case setConnectorForceDetect = 0x53
  case getConnectorStatus = 0x54
  case getConnectorModes = 0x55
  case getConnectorEDID = 0x56
  case setBuffer = 0x60
  case setStateCheck = 0x61
  case setStateCommit = 0x62
  case setControllerEnable = 0x63
  case setDisplayEnable = 0x64
}

/// The status of the last request, as GUD_REQ_GET_STATUS returns it.
enum GUDStatus: UInt8 {
  case fine = 0
  case notSupported = 2
  case protocolError = 3
  case invalidParameter = 4
}

extension PixelBuffer.Format {
  /// The format's code in GUD.
  var gud: UInt8 { self == .xrgb8888 ? 0x80 : 0x40 }
}

/// The requested display state: struct gud_state_req, without the properties.
struct GUDState: Hashable {
  var width: Int
  var height: Int
  /// The pixel clock in kHz.
  var clock: Int
  var format: UInt8
  var connector: Int

  /// Parses a state, or returns nil if it is malformed.
  ///
  /// The properties (10 bytes each) are ignored.
  init?(_ bytes: [UInt8]) {
    var reader = LittleEndianReader(bytes)
    guard let clock = reader.next(UInt32.self) else { return nil }
    var numbers: [Int] = []
    while numbers.count < 8, let number = reader.next(UInt16.self) { numbers.append(Int(number)) }
    guard numbers.count == 8, reader.next(UInt32.self) != nil, let format = reader.next(UInt8.self),
      let connector = reader.next(UInt8.self), reader.remainder.count % 10 == 0
    else { return nil }
    self.clock = Int(clock)
    (width, height) = (numbers[0], numbers[4])
    self.format = format
    self.connector = Int(connector)
  }
}

/// The description of the following bulk transfers: struct gud_set_buffer_req.
struct GUDBuffer: Hashable {
  var area: PixelBuffer.Area
  var length: Int
  var compression: UInt8

  /// Parses a buffer description, or returns nil if it is malformed.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 25 else { return nil }
    var reader = LittleEndianReader(bytes)
    var numbers: [Int] = []
    while numbers.count < 5, let number = reader.next(UInt32.self) { numbers.append(Int(number)) }
    area = PixelBuffer.Area(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    length = numbers[4]
    compression = reader.next() ?? 0
  }
}
