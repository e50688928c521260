import Control
import Synchronization

/// The states of bridges, as they report them. They end with the service.
final class BridgeStates: Sendable {
  private let states = Mutex<[String: BridgeReport]>([:])

  /// The maximum number of bridges.
  static let most = 16

  /// The states, sorted by name.
  var all: [BridgeReport] { states.withLock { $0.values.sorted { $0.name < $1.name } } }

  /// Sets the state of a bridge.
  ///
  /// - Parameters:
  ///   - name: The name of the bridge.
  ///   - request: The state.
  ///   - now: The current time.
  /// - Throws: `ControlError` if there are too many bridges, or a text is too long.
  /// - Returns: The report. Its `since` changes with the state only.
  func set(_ name: String, _ request: BridgeRequest, at now: Timestamp) throws(ControlError) -> BridgeReport {
    guard Self.isName(name) else {
      throw ControlError(
        .invalid, "a bridge cannot have the name \"\(name.prefix(40))\": use 1 to 32 small letters, digits and hyphens")
    }
    guard request.detail.utf8.count <= BridgeRequest.largestDetail else {
      throw ControlError(.invalid, "`detail` has more than \(BridgeRequest.largestDetail) bytes: shorten it")
    }
    let report: BridgeReport? = states.withLock { states in
      let old = states[name]
      guard old != nil || states.count < Self.most else { return nil }
      let since = old?.state == request.state ? old?.since ?? now : now
      let report = BridgeReport(name: name, state: request.state, detail: request.detail, since: since)
      states[name] = report
      return report
    }
    guard let report else {
      throw ControlError(.conflict, "there are \(Self.most) bridges already: remove one of them")
    }
    return report
  }

  /// Removes a bridge, or throws if there is none of this name.
  func remove(_ name: String) throws(ControlError) {
    guard states.withLock({ $0.removeValue(forKey: name) }) != nil else {
      throw ControlError(.notFound, "there is no bridge \(name.prefix(40)); `placard status` lists them")
    }
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

  private static func isName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }
}
