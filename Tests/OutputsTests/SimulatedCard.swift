import Displays
import Geometry
import Outputs
import SeededRandom

/// A card without a kernel: what it accepts, what it drives, and which flips are to come.
struct SimulatedCard {
  /// A monitor.
  struct Monitor: Hashable {
    var serial: UInt8
    var sizes: [Size]
    var hasEDID = true
  }

  /// The output of a CRTC, and its frames.
  struct Driven {
    var display: String
    var surface: Int
    var mode: Mode
    /// The content in the buffer that is scanned out next.
    var content: Int
    var isActive = true
    var isFlipPending = false
    /// The content that is on screen since the last flip; nil until the first one.
    var onScreen: Int?
  }

  /// A modeset that is refused.
  struct Refusal: Hashable {
    var crtc: UInt32
    var size: Size
  }

  static let crtcs: [UInt32] = [41, 42, 43]
  static let names = ["HDMI-A-1", "HDMI-A-2", "DP-1", "DP-2"]

  var monitors: [String: Monitor] = [:]
  var driven: [UInt32: Driven] = [:]
  /// CRTCs that another program left enabled.
  var foreign: Set<UInt32> = []
  var isMaster = true
  var isGone = false
  var refusals: Set<Refusal> = []
  var pixelLimit = Int.max
  /// The number of calls of a kind that fail next, with their reason.
  var failures: [Call: (count: Int, reason: CardError.Reason)] = [:]
  /// The number of flips that are lost next.
  var lostFlips = 0
  /// The number of failures by kind and reason, to see that each one occurred.
  var occurred: [String: Int] = [:]

  enum Call: String, CaseIterable { case probe, allocate, test, commit, disable, sleep, buffer, present }

  /// Returns the error of a call if it fails.
  mutating func failure(_ call: Call) -> CardError? {
    if isGone { return error(call, .gone) }
    guard isMaster || call == .allocate || call == .buffer else { return error(call, .notMaster) }
    guard let failure = failures[call], failure.count > 0 else { return nil }
    failures[call]?.count -= 1
    if failure.reason == .gone { isGone = true }
    return error(call, failure.reason)
  }

  private mutating func error(_ call: Call, _ reason: CardError.Reason) -> CardError {
    occurred["\(call.rawValue) \(reason)", default: 0] += 1
    return CardError(reason: reason, operation: call.rawValue, object: "card", message: "\(reason)")
  }

  mutating func snapshot() -> Result<CardSnapshot, CardError> {
    if let error = failure(.probe) { return .failure(error) }
    let connectors = Self.names.enumerated().map { place, name in
      let monitor = monitors[name]
      let edid: [UInt8] = monitor.map { $0.hasEDID ? [0, 255, $0.serial] : [] } ?? []
      return ConnectorSnapshot(
        id: UInt32(place) + 1, name: name, kind: ConnectorKind(name.hasPrefix("HDMI") ? 11 : 10),
        status: monitor == nil ? .disconnected : .connected,
        modes: monitor?.sizes.map { Mode(size: $0, refresh: 60_000) } ?? [], edid: edid,
        possibleCRTCs: place == 0 ? 3 : 7)
    }
    let crtcs = Self.crtcs.map { CRTCSnapshot(id: $0, isEnabled: driven[$0] != nil || foreign.contains($0)) }
    return .success(CardSnapshot(card: "card", driver: "simulated", connectors: connectors, crtcs: crtcs))
  }

  /// Returns the error of a plan; nil if the card accepts it.
  mutating func refusal(of plan: [CardMachine.PlannedOutput], _ call: Call) -> CardError? {
    if let error = failure(call) { return error }
    let others = driven.filter { crtc, one in !plan.contains { $0.crtc == crtc || $0.display == one.display } }
    let pixels = others.values.map(\.mode.size.area).reduce(0, +) + plan.map(\.mode.size.area).reduce(0, +)
    let isRefused = plan.contains { refusals.contains(Refusal(crtc: $0.crtc, size: $0.mode.size)) }
    return isRefused || pixels > pixelLimit ? error(call, .refused) : nil
  }

  mutating func light(_ plan: [CardMachine.PlannedOutput], contents: [Int: Int]) {
    for output in plan { driven = driven.filter { $0.value.display != output.display } }
    for output in plan {
      foreign.remove(output.crtc)
      driven[output.crtc] = Driven(
        display: output.display, surface: output.surface, mode: output.mode, content: contents[output.surface] ?? -1,
        isFlipPending: true)
    }
  }
}
