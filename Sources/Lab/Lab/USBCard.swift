import CLinux
import Glibc
import SystemCalls
public import USBDisplays

/// An emulated USB graphics card in the guest, implemented by this process.
///
/// The card receives the pixels that the guest's kernel sends to its monitors, so its frames are those that a viewer
/// would see. It stays connected until `Lab.yank`, or until this process or the lab ends.
public final class USBCard: Sendable {
  /// The card's name in the lab, such as "usb1".
  public let name: String
  /// The connector types, in connector order.
  public let kinds: [GUDCard.Kind]
  private let socket: Descriptor
  private let state: ObservableState<State>

  private struct State {
    var device: RedirectedDevice<AnyUSBDisplay>
    /// The reason why the card was removed, or nil while it is connected.
    var end: String?
    var node = ""
    var connectorNames: [String] = []
  }

  init(name: String, card: any USBDisplay, socket: Descriptor) throws(LabError) {
    self.name = name
    self.socket = socket
    kinds = card.kinds
    state = ObservableState(State(device: RedirectedDevice(AnyUSBDisplay(card))))
    let opening = state.update { $0.device.opening }
    try socket.writeAll(opening, until: Deadline(in: .seconds(20)), to: "QEMU's USB")
    try startThread("lab-usb") { self.play() }
  }

  /// Answers the guest until either side disconnects.
  private func play() {
    while true {
      guard case .bytes(let bytes) = socket.read(1 << 20) else { return end("it was unplugged") }
      let answer = state.update { state in
        Result { () throws(USBDisplayError) in try state.device.receive(bytes) }
      }
      do {
        try socket.writeAll(try answer.get(), until: Deadline(in: .seconds(60)), to: "QEMU's USB")
      } catch {
        return end("QEMU violated the USB redirection protocol: \(error)")
      }
    }
  }

  private func end(_ reason: String) {
    state.update { $0.end = $0.end ?? reason }
  }

  /// Removes the card.
  ///
  /// The guest notices at once, even in the middle of a transfer.
  func unplug() {
    end("it was yanked")
    shutdown(socket.number, Int32(SHUT_RDWR))
  }

  func isKnown(as node: String, connectors: [String]) {
    state.update { ($0.node, $0.connectorNames) = (node, connectors) }
  }

  /// The guest's name of the card, such as "card1".
  public var node: String { state.update { $0.node } }

  /// The guest's names of the connectors, such as "HDMI-A-1".
  public var connectorNames: [String] { state.update { $0.connectorNames } }

  /// Whether the card is still connected to the guest.
  public var isPlugged: Bool { state.update { $0.end == nil } }

  /// Waits until the card is removed or the lab ends.
  func waitForEnd() {
    while state.wait(until: Deadline(in: .seconds(1 << 30)), { $0.end }) == nil {}
  }

  /// The number of received pixel bytes, as transferred over USB.
  public var pixelBytes: Int { state.update { $0.device.function.pixelBytes } }

  // MARK: Monitors

  /// Connects a monitor, replacing any connected one.
  ///
  /// The guest notices at its next probe.
  ///
  /// - Parameters:
  ///   - connector: The index of the connector.
  ///   - edid: The EDID: at most 16 blocks of 128 bytes. If it is empty, the monitor provides none.
  /// - Throws: `LabError` if the connector does not exist or the EDID has an invalid length.
  public func connect(_ connector: Int, edid: [UInt8]) throws(LabError) {
    try check(connector)
    guard edid.count % 128 == 0, edid.count <= 2048 else {
      throw LabError(
        .refused, "an EDID of \(edid.count) bytes is invalid: the kernel accepts 1 to 16 blocks of 128 bytes")
    }
    state.update { $0.device.function.connect(connector, edid: edid) }
  }

  /// Disconnects the monitor of a connector.
  ///
  /// The guest notices at its next probe.
  ///
  /// - Parameter connector: The index of the connector.
  /// - Throws: `LabError` if the connector does not exist.
  public func disconnect(_ connector: Int) throws(LabError) {
    try check(connector)
    state.update { $0.device.function.disconnect(connector) }
  }

  /// Returns whether a connector has a monitor.
  public func isConnected(_ connector: Int) throws(LabError) -> Bool {
    try check(connector)
    return state.update { $0.device.function.isConnected(connector) }
  }

  private func check(_ connector: Int) throws(LabError) {
    guard kinds.indices.contains(connector) else {
      throw LabError(.invalid, "\(name) has the connectors 0 to \(kinds.count - 1), not \(connector)")
    }
  }

  // MARK: Frames

  /// Returns the current frame of a connector's monitor, or nil while it is dark.
  public func picture(_ connector: Int) throws(LabError) -> CapturedFrame? {
    try check(connector)
    return state.update { $0.device.function.scanout(connector) }.map { CapturedFrame($0) }
  }

  /// Performs an action and waits until a connector's monitor shows a matching frame.
  ///
  /// The frame is checked on each change, without polling.
  ///
  /// - Parameters:
  ///   - connector: The index of the connector.
  ///   - within: The time limit, measured from before the action.
  ///   - act: The action.
  ///   - matches: The predicate for the frame, which is nil while the monitor is dark.
  /// - Throws: `LabError` if the limit passes, the card is removed, or the action fails.
  /// - Returns: The matching frame and the elapsed time.
  public func waitForFrame(
    _ connector: Int, within: Duration, after act: () throws(LabError) -> Void = {},
    until matches: (CapturedFrame?) -> Bool
  ) throws(LabError) -> Lab.USBFrameMatch {
    try check(connector)
    let (start, deadline) = (SystemClock.monotonicNanoseconds(), Deadline(in: within))
    try act()
    var seen = -1
    while true {
      let change = state.wait(until: deadline) { state -> (PixelBuffer?, Int, String?)? in
        guard state.device.function.changes != seen || state.end != nil else { return nil }
        return (state.device.function.scanout(connector), state.device.function.changes, state.end)
      }
      guard let (scanout, changes, end) = change else { break }
      seen = changes
      let picture = scanout.map { CapturedFrame($0) }
      if matches(picture) {
        let elapsed = SystemClock.monotonicNanoseconds() &- start
        return Lab.USBFrameMatch(picture: picture, elapsed: .nanoseconds(Int64(clamping: elapsed)))
      }
      if let end { throw LabError(.ended, "connector \(connector) of \(name) no longer shows anything: \(end)") }
    }
    let shown = try picture(connector).map { "it shows a frame of \($0.width)x\($0.height)" } ?? "it is dark"
    throw LabError(
      .timeout,
      "connector \(connector) of \(name) did not show the expected content within \(within.formatted); \(shown)"
    )
  }
}

extension Lab {
  /// A matching frame of a USB card's monitor, with its time.
  public struct USBFrameMatch: Sendable {
    /// The first matching frame, or nil for a dark monitor.
    public let picture: CapturedFrame?
    /// The time from before the action until the match.
    public let elapsed: Duration
  }
}

extension CapturedFrame {
  /// Converts the framebuffer of a USB display to RGB.
  init(_ scanout: PixelBuffer) {
    self.init(width: scanout.width, height: scanout.height, bytes: scanout.rgb)
  }
}
