import Archive
import Configuration
import Control
import JSON
import MQTT

/// The commands that arrived from the broker.
struct Commands: Sendable {
  /// A request of a command.
  struct Command: Hashable, Sendable {
    /// The key of the reply; nil for none.
    var key: String?
    var call: ServiceCall
  }

  /// The commands that wait for the service, in order. The first one is running if `running` is set.
  var waiting: [Command] = []
  /// The number of the request that is running; nil for none.
  var running: Int?
  /// The number of messages that were ignored, because their topic has no key.
  var ignored = 0
  /// The replies of the last commands by key, which are sent again if a command is repeated.
  private var replies: [String: [String: JSONValue]] = [:]
  /// The keys of `replies`, oldest first.
  private var order: [String] = []

  /// The maximum number of commands that wait.
  static let mostWaiting = 64
  /// The number of replies that are kept.
  private static let mostReplies = 1000
  /// The maximum size of a command, in bytes.
  static let largest = 256 << 10

  func reply(to key: String) -> [String: JSONValue]? { replies[key] }

  /// Keeps a reply; returns the changes to store.
  mutating func keep(_ reply: [String: JSONValue], of key: String) -> [ArchiveChange] {
    let json = String(decoding: JSONValue.object(reply).encoded, as: UTF8.self)
    var changes: [ArchiveChange] = [.put(kind: "answer", key: key, json: json)]
    if replies.updateValue(reply, forKey: key) == nil { order.append(key) }
    if order.count > Self.mostReplies {
      let oldest = order.removeFirst()
      replies[oldest] = nil
      changes.append(.remove(kind: "answer", key: oldest))
    }
    return changes
  }

  mutating func load(_ document: StoredDocument) {
    guard case .object(let reply)? = try? JSONValue(parsing: document.json.utf8) else { return }
    if replies.updateValue(reply, forKey: document.key) == nil { order.append(document.key) }
  }

  /// Reads a command.
  ///
  /// - Parameters:
  ///   - payload: An object with `method`, `path` and optionally `body` and `expires`.
  ///   - key: The command's key.
  ///   - now: The time in milliseconds since 1970.
  /// - Throws: `Problem` if the command is malformed or too old.
  /// - Returns: The request.
  static func read(_ payload: [UInt8], key: String, now: Int64) throws(Problem) -> ServiceCall {
    guard payload.count <= largest else {
      throw Problem(
        413, "too-large", title: "The command is too large",
        detail: "the command has \(payload.count) bytes; the limit is \(largest >> 10) KiB")
    }
    let json: JSONValue
    do {
      json = try JSONValue(parsing: payload)
    } catch {
      throw malformed("the command is not JSON: check its quotes, commas and braces")
    }
    guard case .object(let members) = json else { throw malformed("the command is \(json.kind), not an object") }
    let known: Set = ["method", "path", "body", "expires"]
    if let unknown = members.keys.filter({ !known.contains($0) }).min() {
      throw malformed("the command has an unknown member \"\(unknown.prefix(40))\"")
    }
    if let expires = json["expires"] {
      guard let text = expires.text ?? expires.integer.map(String.init), let time = try? Timestamp(parsing: text) else {
        throw malformed("`expires` must be a time, \"2026-11-28T12:00:00Z\" or milliseconds since 1970")
      }
      guard time.milliseconds > now else {
        throw Problem(
          410, "expired", title: "The command is too old", detail: "the command was valid until \(time.utc)")
      }
    }
    let methods = ["GET", "PUT", "POST", "PATCH", "DELETE"]
    guard let method = json["method"]?.text, methods.contains(method) else {
      throw malformed("`method` must be one of \(methods.joined(separator: ", "))")
    }
    guard let path = json["path"]?.text, isPath(path) else {
      throw malformed("`path` must be a path of the interface, such as \"/v1/message\"")
    }
    return ServiceCall(
      method: method, path: path, body: json["body"].map(\.encoded), key: method == "POST" ? "mqtt-\(key)" : nil)
  }

  /// Whether a text is the target of a request with one answer.
  static func isPath(_ text: String) -> Bool {
    text.hasPrefix("/v1/") && text.utf8.count <= 2000 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && !text.hasPrefix("/v1/events")
  }

  static func malformed(_ detail: String) -> Problem {
    Problem(400, "malformed", title: "The message cannot be read", detail: detail)
  }
}

extension BridgeMachine {
  mutating func receiveCommand(_ key: String, _ message: MQTTMessage) {
    guard BridgeSettings.isName(key) else {
      commands.ignored += 1
      if commands.ignored == 1 { log("ignored a command whose topic has no valid key: \(message.topic.prefix(80))") }
      return
    }
    if let reply = commands.reply(to: key) { return send("reply/\(key)", reply) }
    if commands.waiting.contains(where: { $0.key == key }) { return }
    do throws(Problem) {
      // A broker repeats a retained message at each connection.
      if message.isRetained { throw Commands.malformed("a command must not be retained") }
      let call = try Commands.read(message.payload, key: key, now: moment.wall)
      guard commands.waiting.count < Commands.mostWaiting else {
        throw Problem(
          503, "busy", title: "Too many commands wait",
          detail: "\(Commands.mostWaiting) commands wait for the service; send this one again later")
      }
      commands.waiting.append(Commands.Command(key: key, call: call))
      runNext()
    } catch {
      reply(to: key, error.status, try? JSONValue(parsing: JSON.encode(error)))
    }
  }

  /// Refuses a message that was discarded because of its size.
  mutating func refuseOversized(_ topic: String, _ bytes: Int) {
    let name = topic.dropFirst(box.topic("cmd/").count)
    let problem = Problem(
      413, "too-large", title: "The message is too large",
      detail: "the message has \(bytes) bytes; the limit is \(Commands.largest >> 10) KiB")
    if topic.hasPrefix(box.topic("cmd/")), BridgeSettings.isName(name) {
      guard commands.reply(to: String(name)) == nil else { return }
      reply(to: String(name), problem.status, try? JSONValue(parsing: JSON.encode(problem)))
    } else {
      log("discarded a message of \(bytes) bytes at \(topic.prefix(80))")
    }
  }

  /// Sends the request of the next command, or of the desired state if there is none.
  mutating func runNext() {
    guard service == .open, commands.running == nil else { return }
    if let command = commands.waiting.first {
      nextCall += 1
      commands.running = nextCall
      effects.append(.call(nextCall, command.call))
    } else {
      applyNext()
    }
  }

  mutating func handle(_ answer: ServiceAnswer, of number: Int) {
    if handlePicture(answer, of: number) { return }
    if number == commands.running {
      commands.running = nil
      // Without an answer, the command is sent again as soon as the service answers.
      guard answer.status != ServiceAnswer.lost else { return readState() }
      guard let command = commands.waiting.first else { return }
      commands.waiting.removeFirst()
      if let key = command.key {
        reply(to: key, answer.status, Self.json(answer.body))
      } else if !(200..<300).contains(answer.status) {
        let problem = try? JSON.decode(Problem.self, from: answer.body)
        log("the service refused a command of Home Assistant: \(problem?.detail ?? "status \(answer.status)")")
      }
      runNext()
    } else if number == desired.running?.number {
      handleDesired(answer)
    }
  }

  /// Returns the content of an answer as JSON: a text if it is not JSON, and null if it is too large or not text.
  static func json(_ body: [UInt8]) -> JSONValue? {
    guard !body.isEmpty else { return nil }
    guard body.count <= Commands.largest else { return .null }
    if let json = try? JSONValue(parsing: body) { return json }
    return String(validating: body, as: UTF8.self).map(JSONValue.string) ?? .null
  }

  private mutating func reply(to key: String, _ status: Int, _ body: JSONValue?) {
    var members: [String: JSONValue] = ["key": .string(key), "status": .number("\(status)")]
    if let body { members["body"] = body }
    changes += commands.keep(members, of: key)
    send("reply/\(key)", members)
  }
}

extension ServiceAnswer {
  /// The status of a request that the service did not answer.
  package static let lost = 0
}
