import Control
import Synchronization
import SystemCalls

/// The states of bridges, as they report them. They end with the service.
final class BridgeStates: Sendable {
  private struct State {
    var reports: [String: BridgeReport] = [:]
    /// The number of streams of events that each bridge reads.
    var streams: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// The maximum number of bridges.
  static let most = 16

  /// The states, sorted by name.
  var all: [BridgeReport] { state.withLock { $0.reports.values.sorted { $0.name < $1.name } } }

  /// Sets the state of a bridge.
  ///
  /// - Parameters:
  ///   - name: The name of the bridge.
  ///   - request: The state.
  ///   - now: The current time.
  /// - Throws: `ControlError` if there are too many bridges, or a text is too long.
  /// - Returns: The report. Its `since` changes with the state only.
  func set(_ name: String, _ request: BridgeRequest, at now: Timestamp) throws(ControlError) -> BridgeReport {
    try Self.check(name)
    guard request.detail.utf8.count <= BridgeRequest.largestDetail else {
      throw ControlError(.invalid, "`detail` has more than \(BridgeRequest.largestDetail) bytes: shorten it")
    }
    let report: BridgeReport? = state.withLock { state in
      let old = state.reports[name]
      guard old != nil || state.reports.count < Self.most else { return nil }
      let report = Self.report(name, request, after: old, at: now)
      state.reports[name] = report
      return report
    }
    guard let report else {
      throw ControlError(.conflict, "there are \(Self.most) bridges already: remove one of them")
    }
    return report
  }

  /// Removes a bridge, or throws if there is none of this name.
  func remove(_ name: String) throws(ControlError) {
    guard state.withLock({ $0.reports.removeValue(forKey: name) }) != nil else {
      throw ControlError(.notFound, "there is no bridge \(name.prefix(40)); `placard status` lists them")
    }
  }

  /// Notes that a bridge reads the events.
  ///
  /// A bridge that is killed cannot report anything, but the kernel closes its connections.
  ///
  /// - Parameter name: The name of the bridge.
  /// - Throws: `ControlError` if the name cannot be that of a bridge.
  /// - Returns: The function to call when the stream has ended.
  func open(_ name: String) throws(ControlError) -> @Sendable () -> Void {
    try Self.check(name)
    state.withLock { $0.streams[name, default: 0] += 1 }
    return { [weak self] in self?.close(name, at: Timestamp(milliseconds: SystemClock.wallMilliseconds())) }
  }

  private func close(_ name: String, at now: Timestamp) {
    let request = BridgeRequest(state: .waiting, detail: "it has ended; `journalctl -u placard-\(name)` has the reason")
    state.withLock { state in
      let left = state.streams[name, default: 0] - 1
      state.streams[name] = left > 0 ? left : nil
      guard left <= 0, let old = state.reports[name] else { return }
      state.reports[name] = Self.report(name, request, after: old, at: now)
    }
  }

  private static func report(
    _ name: String, _ request: BridgeRequest, after old: BridgeReport?, at now: Timestamp
  ) -> BridgeReport {
    let since = old?.state == request.state ? old?.since ?? now : now
    return BridgeReport(name: name, state: request.state, detail: request.detail, since: since)
  }

  /// The problems of bridges that are not connected.
  var problems: [String] {
    all.filter { $0.state == .waiting }.map { "the bridge \($0.name) is not connected: \($0.detail)" }
  }

  /// The findings for the doctor.
  var findings: [DoctorReport.Finding] {
    all.map { bridge in
      let isConnected = bridge.state == .connected
      let text = "the bridge \(bridge.name) is \(isConnected ? "connected to" : "not connected:") \(bridge.detail)"
      return DoctorReport.Finding(
        check: "bridges", severity: isConnected ? .ok : .wrong, code: isConnected ? "bridge-ok" : "bridge-waiting",
        object: bridge.name, text: text, fix: nil, command: nil)
    }
  }

  private static func check(_ name: String) throws(ControlError) {
    let isName =
      (1...32).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
      }
    guard !isName else { return }
    throw ControlError(
      .invalid, "a bridge cannot have the name \"\(name.prefix(40))\": use 1 to 32 small letters, digits and hyphens")
  }
}
