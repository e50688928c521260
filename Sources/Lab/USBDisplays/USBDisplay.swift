/// A USB graphics card with monitors.
public protocol USBDisplay: USBFunction {
  /// The connector types, in connector order.
  var kinds: [GUDCard.Kind] { get }
  /// The number of changes to the contents of the monitors.
  var changes: Int { get }
  /// The total number of received pixel bytes, in transfer encoding.
  var pixelBytes: Int { get }

  /// Connects a monitor, replacing any connected one.
  ///
  /// - Parameters:
  ///   - number: The index of an existing connector.
  ///   - edid: The EDID. If it is empty, the monitor provides none.
  mutating func connect(_ number: Int, edid: [UInt8])

  /// Disconnects the monitor at a connector.
  mutating func disconnect(_ number: Int)

  /// Returns whether a monitor is connected to a connector.
  func isConnected(_ number: Int) -> Bool

  /// Returns the framebuffer of the monitor at a connector.
  ///
  /// - Parameter number: The index of an existing connector.
  /// - Returns: The framebuffer, or nil if no monitor is connected, it has no signal, or it is in standby.
  func scanout(_ number: Int) -> PixelBuffer?
}

/// A type-erased USB graphics card.
public struct AnyUSBDisplay: USBDisplay {
  private var display: any USBDisplay

  /// Wraps a card.
  public init(_ display: any USBDisplay) { self.display = display }

  /// The card's description.
  public var description: USBDescription { display.description }
  /// The card's connector types.
  public var kinds: [GUDCard.Kind] { display.kinds }
  /// The card's number of changes.
  public var changes: Int { display.changes }
  /// The card's number of received pixel bytes.
  public var pixelBytes: Int { display.pixelBytes }

  /// Forwards a control request to the card.
  public mutating func control(_ request: ControlRequest, _ data: [UInt8]) -> ControlAnswer {
    display.control(request, data)
  }

  /// Forwards a bulk transfer to the card.
  public mutating func bulk(_ data: ArraySlice<UInt8>) -> Bool { display.bulk(data) }
  /// Resets the card.
  public mutating func reset() { display.reset() }
  /// Connects a monitor to the card.
  public mutating func connect(_ number: Int, edid: [UInt8]) { display.connect(number, edid: edid) }
  /// Disconnects a monitor from the card.
  public mutating func disconnect(_ number: Int) { display.disconnect(number) }
  /// Returns whether a monitor is connected to the card.
  public func isConnected(_ number: Int) -> Bool { display.isConnected(number) }
  /// Returns the framebuffer of one of the card's monitors.
  public func scanout(_ number: Int) -> PixelBuffer? { display.scanout(number) }
}
