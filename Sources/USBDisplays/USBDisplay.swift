/// A USB device that is a graphics card with monitors.
public protocol USBDisplay: USBFunction {
  /// What its connectors are.
  var kinds: [GUDCard.Kind] { get }
  /// How often what its monitors show has changed.
  var changes: Int { get }
  /// How many bytes of pixels have come in all, as they were sent.
  var pixelBytes: Int { get }

  /// Plugs a monitor into a connector that there is, or another one; an empty EDID is a monitor that tells nothing.
  mutating func connect(_ number: Int, edid: [UInt8])

  /// Unplugs a monitor.
  mutating func disconnect(_ number: Int)

  /// Whether a monitor is plugged in.
  func isConnected(_ number: Int) -> Bool

  /// What the monitor at a connector shows; nil while it is dark: there is none, it gets no signal, or it sleeps.
  func glass(_ number: Int) -> Glass?
}

/// Any of the cards.
public struct AnyUSBDisplay: USBDisplay {
  private var display: any USBDisplay

  /// Takes the card over.
  public init(_ display: any USBDisplay) { self.display = display }

  /// The card's own.
  public var description: USBDescription { display.description }
  /// The card's own.
  public var kinds: [GUDCard.Kind] { display.kinds }
  /// The card's own.
  public var changes: Int { display.changes }
  /// The card's own.
  public var pixelBytes: Int { display.pixelBytes }

  /// Has the card answer.
  public mutating func control(_ request: ControlRequest, _ data: [UInt8]) -> ControlAnswer {
    display.control(request, data)
  }

  /// Has the card take it.
  public mutating func bulk(_ data: ArraySlice<UInt8>) -> Bool { display.bulk(data) }
  /// Resets the card.
  public mutating func reset() { display.reset() }
  /// Plugs a monitor into the card.
  public mutating func connect(_ number: Int, edid: [UInt8]) { display.connect(number, edid: edid) }
  /// Unplugs one.
  public mutating func disconnect(_ number: Int) { display.disconnect(number) }
  /// Whether the card has a monitor there.
  public func isConnected(_ number: Int) -> Bool { display.isConnected(number) }
  /// What it shows.
  public func glass(_ number: Int) -> Glass? { display.glass(number) }
}
