/// A USB graphics card for the kernel's driver gud, with connectors for monitors.
///
/// It has a single CRTC, as every GUD device, so at most one of its monitors is enabled at a time.
public struct GUDCard: USBDisplay {
  /// The connector type.
  public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// VGA, `VGA` in the kernel's connector names.
    case vga = 1
    /// DVI, `DVI-D` in the kernel's connector names.
    case dvi = 5
    /// DisplayPort, `DP` in the kernel's connector names.
    case displayPort = 6
    /// HDMI, `HDMI-A` in the kernel's connector names.
    case hdmi = 7

    /// The kernel's name of this connector type, without the index.
    public var kernelName: String {
      switch self {
      case .vga: "VGA"
      case .dvi: "DVI-D"
      case .displayPort: "DP"
      case .hdmi: "HDMI-A"
      }
    }
  }

  /// A connector and its monitor.
  private struct Connector {
    var kind: Kind
    var isConnected = false
    var edid: [UInt8] = []
    /// Whether the monitor has changed since the last status request.
    ///
    /// It reveals a swap between two probes.
    var hasChanged = false
  }

  private var connectors: [Connector]
  private let formats: [PixelBuffer.Format]
  private let largestSize: (width: Int, height: Int)
  private let refusedSize: (width: Int, height: Int)?
  private let serial: String
  private var status = GUDStatus.fine
  private var checked: GUDState?
  private var committed: GUDState?
  private var isControllerOn = false
  private var isDisplayOn = false
  private var scanout: PixelBuffer?
  private var buffer: GUDBuffer?
  private var received: [UInt8] = []

  /// The total number of received pixel bytes.
  public private(set) var pixelBytes = 0

  /// The number of changes to the contents of the monitors.
  public private(set) var changes = 0

  /// The maximum size of a bulk transfer in bytes.
  ///
  /// The kernel's driver splits larger updates.
  static let largestTransfer = 4 << 20

  /// Creates a card without monitors.
  ///
  /// - Parameters:
  ///   - kinds: The connector types, 1 to 32.
  ///   - formats: The supported pixel formats, at least one. The kernel's driver prefers RGB565 if it is present.
  ///   - largestSize: The maximum mode size in pixels.
  ///   - refusedSize: A mode size that the card advertises but rejects at a modeset, or nil for none.
  ///   - serial: The USB serial number, to distinguish cards.
  public init(
    _ kinds: [Kind], formats: [PixelBuffer.Format] = [.xrgb8888], largestSize: (width: Int, height: Int) = (4096, 2304),
    refusedSize: (width: Int, height: Int)? = nil, serial: String
  ) {
    precondition((1...32).contains(kinds.count) && !formats.isEmpty)
    connectors = kinds.map { Connector(kind: $0) }
    self.formats = formats
    self.largestSize = largestSize
    self.refusedSize = refusedSize
    self.serial = serial
  }

  /// The USB description, with the vendor and product ID that the driver gud binds to.
  public var description: USBDescription {
    USBDescription(
      vendor: 0x1d50, product: 0x614d, manufacturer: "Lab", name: "Card with \(connectors.count) connectors",
      serial: serial)
  }

  // MARK: Monitors

  /// The connector types, in connector order.
  public var kinds: [Kind] { connectors.map(\.kind) }

  /// Connects a monitor, replacing any connected one.
  ///
  /// - Parameters:
  ///   - number: The index of the connector.
  ///   - edid: The EDID. If it is empty, the monitor provides none.
  public mutating func connect(_ number: Int, edid: [UInt8]) {
    connectors[number].isConnected = true
    connectors[number].edid = edid
    connectors[number].hasChanged = true
    changes += 1
  }

  /// Disconnects the monitor.
  public mutating func disconnect(_ number: Int) {
    connectors[number].isConnected = false
    connectors[number].edid = []
    connectors[number].hasChanged = true
    changes += 1
  }

  /// Returns whether a monitor is connected.
  public func isConnected(_ number: Int) -> Bool { connectors[number].isConnected }

  /// Returns the framebuffer of the monitor at a connector.
  ///
  /// - Parameter number: The index of the connector.
  /// - Returns: The framebuffer, or nil if no monitor is connected, it has no signal, or it is in standby.
  public func scanout(_ number: Int) -> PixelBuffer? {
    guard connectors[number].isConnected, committed?.connector == number, isControllerOn, isDisplayOn else {
      return nil
    }
    return scanout
  }

  // MARK: Requests

  /// Handles a vendor request of the driver gud.
  ///
  /// - Parameters:
  ///   - request: The setup packet.
  ///   - data: The bytes that the host wrote, empty for a read.
  /// - Returns: The reply. After a stall, the driver can read the reason with GUD_REQ_GET_STATUS.
  public mutating func control(_ request: ControlRequest, _ data: [UInt8]) -> ControlAnswer {
    guard request.isVendorRequest, let wanted = GUDRequest(rawValue: request.request) else {
      return refuse(.notSupported)
    }
    if wanted == .getStatus { return .data([status.rawValue]) }
    status = .fine
    return request.isRead ? read(wanted, Int(request.value)) : write(wanted, Int(request.value), data)
  }

  private mutating func refuse(_ reason: GUDStatus) -> ControlAnswer {
    status = reason
    return .stall
  }

  private mutating func read(_ request: GUDRequest, _ number: Int) -> ControlAnswer {
    switch request {
    case .getDescriptor: return .data(displayDescriptor)
    case .getFormats: return .data(formats.map(\.gud))
    // Neither the card nor its connectors have properties.
    case .getProperties: return .data([])
    case .getConnectors:
      // Bit 0 of the flags: GUD_CONNECTOR_FLAGS_POLL_STATUS, because monitors can be hotplugged.
      return .data(connectors.flatMap { [$0.kind.rawValue, 1, 0, 0, 0] })
    default: break
    }
    guard connectors.indices.contains(number) else { return refuse(.invalidParameter) }
    switch request {
    case .getConnectorProperties: return .data([])
    // The connectors have no modes of their own. The driver takes the modes from the EDID.
    case .getConnectorModes: return .data([])
    case .getConnectorEDID: return .data(connectors[number].edid)
    case .getConnectorStatus:
      let connector = connectors[number]
      connectors[number].hasChanged = false
      return .data([(connector.isConnected ? 1 : 0) | (connector.hasChanged ? 0x80 : 0)])
    default: return refuse(.notSupported)
    }
  }

  private var displayDescriptor: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32(0x1d50_614d))
    bytes.append(1)
    bytes.append(littleEndian: UInt32(0))
    bytes.append(0)
    bytes.append(littleEndian: UInt32(Self.largestTransfer))
    for size in [1, largestSize.width, 1, largestSize.height] { bytes.append(littleEndian: UInt32(size)) }
    return bytes
  }

  private mutating func write(_ request: GUDRequest, _ number: Int, _ data: [UInt8]) -> ControlAnswer {
    switch request {
    case .setConnectorForceDetect: return connectors.indices.contains(number) ? .taken : refuse(.invalidParameter)
    case .setStateCheck: return check(data)
    case .setStateCommit: return commit()
    case .setBuffer: return expect(data)
    case .setControllerEnable, .setDisplayEnable:
      guard data.count == 1 else { return refuse(.protocolError) }
      changes += 1
      if request == .setControllerEnable { isControllerOn = data[0] != 0 } else { isDisplayOn = data[0] != 0 }
      return .taken
    default: return refuse(.notSupported)
    }
  }

  private mutating func check(_ data: [UInt8]) -> ControlAnswer {
    guard let state = GUDState(data) else { return refuse(.protocolError) }
    let isRefused = refusedSize.map { $0 == (state.width, state.height) } ?? false
    let isSizeFine = (1...largestSize.width).contains(state.width) && (1...largestSize.height).contains(state.height)
    guard isSizeFine, !isRefused, connectors.indices.contains(state.connector),
      formats.contains(where: { $0.gud == state.format })
    else { return refuse(.invalidParameter) }
    checked = state
    return .taken
  }

  /// Applies the checked state.
  ///
  /// Each mode starts with a black framebuffer, so all its pixels were sent for this mode.
  private mutating func commit() -> ControlAnswer {
    guard let state = checked, let format = formats.first(where: { $0.gud == state.format }) else {
      return refuse(.invalidParameter)
    }
    committed = state
    scanout = PixelBuffer(width: state.width, height: state.height, format: format)
    buffer = nil
    changes += 1
    return .taken
  }

  private mutating func expect(_ data: [UInt8]) -> ControlAnswer {
    guard let wanted = GUDBuffer(data) else { return refuse(.protocolError) }
    guard let scanout, scanout.contains(wanted.area), wanted.compression == 0,
      wanted.length == wanted.area.width * wanted.area.height * scanout.format.depth
    else { return refuse(.invalidParameter) }
    buffer = wanted
    received = []
    return .taken
  }

  // MARK: Pixels

  /// Receives pixels for the area of the last SET_BUFFER request, in one transfer or several.
  ///
  /// - Parameter data: The uncompressed pixels.
  /// - Returns: Whether the data fits into the announced buffer.
  public mutating func bulk(_ data: ArraySlice<UInt8>) -> Bool {
    guard let buffer, received.count + data.count <= buffer.length else { return false }
    pixelBytes += data.count
    if received.isEmpty, data.count == buffer.length {
      show(data, in: buffer.area)
      return true
    }
    received += data
    if received.count == buffer.length { show(received[...], in: buffer.area) }
    return true
  }

  private mutating func show(_ pixels: ArraySlice<UInt8>, in area: PixelBuffer.Area) {
    scanout?.write(pixels, to: area)
    buffer = nil
    changes += 1
  }

  /// Discards the state and the framebuffer.
  ///
  /// The monitors stay connected.
  public mutating func reset() {
    (checked, committed, scanout, buffer) = (nil, nil, nil, nil)
    (isControllerOn, isDisplayOn, status) = (false, false, .fine)
    changes += 1
  }
}
