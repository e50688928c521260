import CLinux
import Glibc
public import USBDisplays

/// A USB graphics card with HDMI and other connectors, which this process plays: what the guest's kernel sends to its
/// monitors arrives here, so that their pictures are what a viewer would see.
///
/// It stays plugged in until `Lab.yank`, or until this process or the lab ends.
public final class USBCard: Sendable {
  /// Its name in the lab: "usb1", "usb2", ...
  public let name: String
  /// What its connectors are.
  public let kinds: [GUDCard.Kind]
  private let socket: Descriptor
  private let state: Watched<State>

  private struct State {
    var device: RedirectedDevice<AnyUSBDisplay>
    /// Why nothing more comes; nil while it is plugged in.
    var end: String?
    var node = ""
    var connectorNames: [String] = []
  }

  init(name: String, card: any USBDisplay, socket: Descriptor) throws(LabError) {
    self.name = name
    self.socket = socket
    kinds = card.kinds
    state = Watched(State(device: RedirectedDevice(AnyUSBDisplay(card))))
    let opening = state.update { $0.device.opening }
    try socket.writeAll(opening, until: Deadline(in: .seconds(20)), to: "QEMU's USB")
    try startThread("lab-usb") { self.play() }
  }

  /// Answers the guest until one side goes.
  private func play() {
    while true {
      guard case .bytes(let bytes) = socket.read(1 << 20) else { return end("it was unplugged") }
      let answer = state.update { state in
        Result { () throws(USBDisplayError) in try state.device.receive(bytes) }
      }
      do {
        try socket.writeAll(try answer.get(), until: Deadline(in: .seconds(60)), to: "QEMU's USB")
      } catch {
        return end("QEMU's USB is not understood: \(error)")
      }
    }
  }

  private func end(_ reason: String) {
    state.update { $0.end = $0.end ?? reason }
  }

  /// Pulls the plug: the guest notices at once, whatever it was doing.
  func unplug() {
    end("it was yanked")
    shutdown(socket.number, Int32(SHUT_RDWR))
  }

  func isKnown(as node: String, connectors: [String]) {
    state.update { ($0.node, $0.connectorNames) = (node, connectors) }
  }

  /// What the guest calls it: "card1".
  public var node: String { state.update { $0.node } }

  /// What the guest calls its connectors: "HDMI-A-1", "DP-1", ...
  public var connectorNames: [String] { state.update { $0.connectorNames } }

  /// Whether the guest still has it.
  public var isPlugged: Bool { state.update { $0.end == nil } }

  /// Waits until it has been yanked, or the lab has ended.
  func waitForEnd() {
    while state.wait(until: Deadline(in: .seconds(1 << 30)), { $0.end }) == nil {}
  }

  /// How many bytes of pixels it has received: what a change costs on the wire.
  public var pixelBytes: Int { state.update { $0.device.function.pixelBytes } }

  // MARK: Monitors

  /// Plugs a monitor into a connector, or another one; the guest hears of it when it looks (see `Lab.plug(_:into:)`).
  public func connect(_ connector: Int, edid: [UInt8]) throws(LabError) {
    try check(connector)
    guard edid.count % 128 == 0, edid.count <= 2048 else {
      throw LabError(.refused, "an EDID of \(edid.count) bytes: the kernel takes blocks of 128 bytes, 16 at most")
    }
    state.update { $0.device.function.connect(connector, edid: edid) }
  }

  /// Unplugs the monitor of a connector.
  public func disconnect(_ connector: Int) throws(LabError) {
    try check(connector)
    state.update { $0.device.function.disconnect(connector) }
  }

  /// Whether a connector has a monitor.
  public func isConnected(_ connector: Int) throws(LabError) -> Bool {
    try check(connector)
    return state.update { $0.device.function.isConnected(connector) }
  }

  private func check(_ connector: Int) throws(LabError) {
    guard kinds.indices.contains(connector) else {
      throw LabError(.invalid, "\(name) has the connectors 0 to \(kinds.count - 1), not \(connector)")
    }
  }

  // MARK: What is seen

  /// What the monitor of a connector shows now; nil while it is dark.
  public func picture(_ connector: Int) throws(LabError) -> Picture? {
    try check(connector)
    return state.update { $0.device.function.glass(connector) }.map { Picture($0) }
  }

  /// Does `act`, then waits until the monitor of a connector shows a picture that satisfies `isSeen`, or is dark where
  /// that gets nil. It looks whenever pixels arrive, not by the clock.
  public func witness(
    _ connector: Int, within: Duration, after act: () throws(LabError) -> Void = {}, until isSeen: (Picture?) -> Bool
  ) throws(LabError) -> Lab.Glimpse {
    try check(connector)
    let (start, deadline) = (monotonicNanoseconds(), Deadline(in: within))
    try act()
    var seen = -1
    while true {
      let news = state.wait(until: deadline) { state -> (Glass?, Int, String?)? in
        guard state.device.function.changes != seen || state.end != nil else { return nil }
        return (state.device.function.glass(connector), state.device.function.changes, state.end)
      }
      guard let (glass, changes, end) = news else { break }
      seen = changes
      let picture = glass.map { Picture($0) }
      if isSeen(picture) {
        let elapsed = monotonicNanoseconds() &- start
        return Lab.Glimpse(picture: picture, elapsed: .nanoseconds(Int64(clamping: elapsed)))
      }
      if let end { throw LabError(.ended, "connector \(connector) of \(name) shows nothing any more: \(end)") }
    }
    let shown = try picture(connector).map { "it shows a picture of \($0.width)x\($0.height)" } ?? "it is dark"
    throw LabError(
      .timeout, "connector \(connector) of \(name) does not show in \(within.inWords) what was waited for; \(shown)")
  }
}

extension Lab {
  /// What was seen on a USB card's monitor, and when.
  public struct Glimpse: Sendable {
    /// The first picture that satisfied the question; nil for a dark monitor.
    public let picture: Picture?
    /// From the act (or the call, where there is none) until then.
    public let elapsed: Duration
  }
}

extension Picture {
  /// What a USB display shows.
  init(_ glass: Glass) {
    self.init(width: glass.width, height: glass.height, bytes: glass.rgb)
  }
}
