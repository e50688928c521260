/// A USB graphics card as the kernel's driver gud wants it, with connectors into which monitors are plugged. It has one
/// controller, as all such cards: one of its monitors is lit at a time.
public struct GUDCard: USBDisplay {
  /// What can be plugged into a connector.
  public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// The guest calls it VGA.
    case vga = 1
    /// The guest calls it DVI-D.
    case dvi = 5
    /// The guest calls it DP.
    case displayPort = 6
    /// The guest calls it HDMI-A.
    case hdmi = 7

    /// The kernel's name of such a connector, without its number.
    public var kernelName: String {
      switch self {
      case .vga: "VGA"
      case .dvi: "DVI-D"
      case .displayPort: "DP"
      case .hdmi: "HDMI-A"
      }
    }
  }

  /// One connector and its monitor.
  private struct Connector {
    var kind: Kind
    var isConnected = false
    var edid: [UInt8] = []
    /// Told once, so that a monitor that was swapped between two looks is noticed.
    var hasChanged = false
  }

  private var connectors: [Connector]
  private let formats: [Glass.Format]
  private let largestSize: (width: Int, height: Int)
  private let refusedSize: (width: Int, height: Int)?
  private let serial: String
  private var status = GUDStatus.fine
  private var checked: GUDState?
  private var committed: GUDState?
  private var isControllerOn = false
  private var isDisplayOn = false
  private var glass: Glass?
  private var buffer: GUDBuffer?
  private var received: [UInt8] = []

  /// How many bytes of pixels have come in all.
  public private(set) var pixelBytes = 0

  /// How often what its monitors show has changed.
  public private(set) var changes = 0

  /// The most bytes that come in one transfer: the kernel cuts larger parts of a frame.
  static let largestTransfer = 4 << 20

  /// A card without monitors.
  ///
  /// - Parameters:
  ///   - kinds: its connectors, 1 to 32.
  ///   - formats: what it takes; with RGB565 among them the kernel prefers that.
  ///   - largestSize: in pixels.
  ///   - refusedSize: it is listed, and refused where it is to be set.
  ///   - serial: what tells it from other cards.
  public init(
    _ kinds: [Kind], formats: [Glass.Format] = [.xrgb8888], largestSize: (width: Int, height: Int) = (4096, 2304),
    refusedSize: (width: Int, height: Int)? = nil, serial: String
  ) {
    precondition((1...32).contains(kinds.count) && !formats.isEmpty)
    connectors = kinds.map { Connector(kind: $0) }
    self.formats = formats
    self.largestSize = largestSize
    self.refusedSize = refusedSize
    self.serial = serial
  }

  /// The numbers that the kernel's driver looks for.
  public var description: USBDescription {
    USBDescription(
      vendor: 0x1d50, product: 0x614d, manufacturer: "Lab", name: "Card with \(connectors.count) connectors",
      serial: serial)
  }

  // MARK: Monitors

  /// What its connectors are.
  public var kinds: [Kind] { connectors.map(\.kind) }

  /// Plugs a monitor in, or another one; an empty EDID is a monitor that tells nothing.
  public mutating func connect(_ number: Int, edid: [UInt8]) {
    connectors[number].isConnected = true
    connectors[number].edid = edid
    connectors[number].hasChanged = true
    changes += 1
  }

  /// Unplugs a monitor.
  public mutating func disconnect(_ number: Int) {
    connectors[number].isConnected = false
    connectors[number].edid = []
    connectors[number].hasChanged = true
    changes += 1
  }

  /// Whether a monitor is plugged in.
  public func isConnected(_ number: Int) -> Bool { connectors[number].isConnected }

  /// What the monitor at a connector shows; nil while it is dark: there is none, it gets no signal, or it sleeps.
  public func glass(_ number: Int) -> Glass? {
    guard connectors[number].isConnected, committed?.connector == number, isControllerOn, isDisplayOn else {
      return nil
    }
    return glass
  }

  // MARK: Requests

  /// Answers the driver's requests.
  public mutating func control(_ request: ControlRequest, _ data: [UInt8]) -> ControlAnswer {
    guard request.isVendors, let wanted = GUDRequest(rawValue: request.request) else {
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
    // Neither it nor its connectors have properties.
    case .getProperties: return .data([])
    case .getConnectors:
      // Bit 0 of the flags: monitors come and go.
      return .data(connectors.flatMap { [$0.kind.rawValue, 1, 0, 0, 0] })
    default: break
    }
    guard connectors.indices.contains(number) else { return refuse(.invalidParameter) }
    switch request {
    case .getConnectorProperties: return .data([])
    // No modes of its own: they are the EDID's.
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

  /// A mode begins black, so that whoever sees pixels knows that they were sent for this mode.
  private mutating func commit() -> ControlAnswer {
    guard let state = checked, let format = formats.first(where: { $0.gud == state.format }) else {
      return refuse(.invalidParameter)
    }
    committed = state
    glass = Glass(width: state.width, height: state.height, format: format)
    buffer = nil
    changes += 1
    return .taken
  }

  private mutating func expect(_ data: [UInt8]) -> ControlAnswer {
    guard let wanted = GUDBuffer(data) else { return refuse(.protocolError) }
    guard let glass, glass.contains(wanted.area), wanted.compression == 0,
      wanted.length == wanted.area.width * wanted.area.height * glass.format.depth
    else { return refuse(.invalidParameter) }
    buffer = wanted
    received = []
    return .taken
  }

  // MARK: Pixels

  /// Takes pixels for the area that was told before, in one transfer or several.
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

  private mutating func show(_ pixels: ArraySlice<UInt8>, in area: Glass.Area) {
    glass?.write(pixels, to: area)
    buffer = nil
    changes += 1
  }

  /// Lets go of all that the machine had set; monitors stay plugged in.
  public mutating func reset() {
    (checked, committed, glass, buffer) = (nil, nil, nil, nil)
    (isControllerOn, isDisplayOn, status) = (false, false, .fine)
    changes += 1
  }
}
