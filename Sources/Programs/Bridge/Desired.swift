import Archive
import Control
import JSON

/// The state that the fleet desires of a box: bodies by their paths.
struct Desired: Sendable {
  /// A path whose body the service refused.
  struct Refusal: Hashable, Sendable {
    var path: String
    var status: Int
    var detail: String
  }

  /// The version of the state; nil before the first one.
  var version: Int?
  /// The bodies by path; null for what is removed.
  var state: [String: JSONValue] = [:]
  /// The paths that are not applied yet, in order.
  var waiting: [String] = []
  var refusals: [Refusal] = []
  /// The request that is running, which may belong to an earlier version; nil for none.
  var running: (number: Int, call: ServiceCall)?

  /// A version of the desired state.
  struct Document: Hashable {
    var version: Int
    var state: [String: JSONValue]

    /// Reads a document `{"version": 1, "state": {"/v1/message": {"text": "Hello"}}}`.
    init(_ payload: [UInt8]) throws(Problem) {
      guard payload.count <= Commands.largest else {
        throw Problem(
          413, "too-large", title: "The desired state is too large",
          detail: "the desired state has \(payload.count) bytes; the limit is \(Commands.largest >> 10) KiB")
      }
      let json: JSONValue
      do {
        json = try JSONValue(parsing: payload)
      } catch {
        throw Commands.malformed("the desired state is not JSON: check its quotes, commas and braces")
      }
      guard let version = json["version"]?.integer, version > 0 else {
        throw Commands.malformed("`version` must be a whole number from 1 on")
      }
      guard case .object(let state)? = json["state"] else {
        throw Commands.malformed("`state` must be an object: paths such as \"/v1/message\" with their bodies")
      }
      if let wrong = state.keys.filter({ !Commands.isPath($0) }).min() {
        throw Commands.malformed("`state` has \"\(wrong.prefix(80))\", which is not a path such as \"/v1/message\"")
      }
      self.version = version
      self.state = state
    }
  }

  /// Accepts a newer version. Paths that it does not mention stay as they are.
  mutating func accept(_ document: Document) {
    // A path that waits and is not mentioned any more is not applied.
    let changed = document.state.keys.filter { path in
      state[path] != document.state[path] || waiting.contains(path) || refusals.contains { $0.path == path }
    }
    version = document.version
    state = document.state
    waiting = changed.sorted()
    refusals = []
  }

  /// The request for a path.
  func call(_ path: String) -> ServiceCall {
    guard let body = state[path], body != .null else { return ServiceCall(method: "DELETE", path: path) }
    return ServiceCall(method: "PUT", path: path, body: body.encoded)
  }

  /// The document to store.
  var stored: JSONValue {
    [
      "version": version.map { .number("\($0)") } ?? .null, "state": .object(state),
      "waiting": .array(waiting.map(JSONValue.string)), "refusals": .array(refusals.map(\.json)),
    ]
  }

  mutating func load(_ json: JSONValue) {
    guard let version = json["version"]?.integer, case .object(let state)? = json["state"] else { return }
    self.version = version
    self.state = state
    waiting = json["waiting"]?.elements?.compactMap(\.text) ?? []
    refusals =
      json["refusals"]?.elements?.compactMap { entry in
        guard let path = entry["path"]?.text, let status = entry["status"]?.integer else { return nil }
        return Refusal(path: path, status: status, detail: entry["detail"]?.text ?? "")
      } ?? []
  }
}

extension Desired.Refusal {
  var json: JSONValue {
    ["path": .string(path), "status": .number("\(status)"), "detail": .string(detail)]
  }
}

extension BridgeMachine {
  mutating func receiveDesired(_ payload: [UInt8]) {
    // A retained message that was removed.
    guard !payload.isEmpty else { return }
    do throws(Problem) {
      let document = try Desired.Document(payload)
      if let version = desired.version {
        // The broker repeats the retained message at each connection.
        if document.version == version, document.state == desired.state { return }
        guard document.version > version else {
          throw Problem(
            409, "conflict", title: "A newer version is applied",
            detail: "version \(document.version) is refused, because version \(version) is applied")
        }
      }
      desired.accept(document)
      storeDesired()
      publishReport()
      runNext()
    } catch {
      log("refused the desired state: \(error.detail)")
      let problem = (try? JSONValue(parsing: JSON.encode(error))) ?? .null
      send("reply/desired", ["status": .number("\(error.status)"), "body": problem])
    }
  }

  /// Sends the request for the next path that is not applied.
  mutating func applyNext() {
    guard service == .open, desired.running == nil, let path = desired.waiting.first else { return }
    nextCall += 1
    let call = desired.call(path)
    desired.running = (nextCall, call)
    effects.append(.call(nextCall, call))
  }

  mutating func handleDesired(_ answer: ServiceAnswer) {
    guard let call = desired.running?.call else { return }
    let path = call.path
    desired.running = nil
    guard answer.status != ServiceAnswer.lost else { return readState() }
    // A newer version may have arrived since the request.
    guard let place = desired.waiting.firstIndex(of: path), desired.call(path) == call else { return runNext() }
    desired.waiting.remove(at: place)
    // What is removed may be missing already.
    let isGone = answer.status == 404 && desired.call(path).method == "DELETE"
    if !(200..<300).contains(answer.status), !isGone {
      let problem = try? JSON.decode(Problem.self, from: answer.body)
      let detail = problem?.detail ?? "the service answered with status \(answer.status)"
      desired.refusals.append(Desired.Refusal(path: path, status: answer.status, detail: detail))
      log("the service refused \(path) of the desired state: \(detail)")
    }
    storeDesired()
    if desired.waiting.isEmpty { publishReport() }
    runNext()
  }

  private mutating func storeDesired() {
    let json = String(decoding: desired.stored.encoded, as: UTF8.self)
    changes.append(.put(kind: "fact", key: "desired", json: json))
  }
}
