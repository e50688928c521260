import Control
import ControlClient
import Glibc
package import JSON
package import MQTT
import NIOCore
import NIOPosix
import SystemCalls

/// The commands for a fleet.
package struct FleetTool {
  /// A failure of a command, with the next step.
  package struct Failure: Error, CustomStringConvertible {
    /// A sentence.
    package var description: String
  }

  private let session: FleetSession
  private let loop: any EventLoop
  private let print: @Sendable (String) -> Void
  private var messages: AsyncStream<MQTTMessage>.Iterator
  private var inventory = FleetInventory()

  private init(_ session: FleetSession, _ loop: any EventLoop, print: @escaping @Sendable (String) -> Void) {
    self.session = session
    self.loop = loop
    self.print = print
    messages = session.messages.makeAsyncIterator()
  }

  /// Runs a command with a connection to the broker; must be called on the main thread before any task.
  ///
  /// - Parameters:
  ///   - options: The broker and the login.
  ///   - print: The function that receives each line of the result.
  ///   - command: The command.
  /// - Throws: Any error of the connection or the command.
  package static func run(
    _ options: MQTTOptions, print: @escaping @Sendable (String) -> Void,
    command: @escaping @Sendable (inout FleetTool) async throws -> Void
  ) throws {
    NIOSingletons.groupLoopCountSuggestion = 1
    GlobalLoop.install()
    let loop = NIOSingletons.posixEventLoopGroup.next()
    let thread = try MQTTThread(on: MultiThreadedEventLoopGroup(numberOfThreads: 1).next())
    let session = FleetSession(options: options, thread: thread, loop: loop)
    let done = loop.makePromise(of: Void.self)
    done.completeWithTask {
      try await session.connect()
      var tool = FleetTool(session, loop, print: print)
      try await command(&tool)
      await session.end()
      let stopped = loop.makePromise(of: Void.self)
      thread.stop(stopped)
      try await stopped.futureResult.get()
    }
    try done.futureResult.wait()
  }

  /// Reads the messages that the broker keeps about all boxes.
  ///
  /// A broker does not say when it has sent them all, so this waits until none has come for 0.3 s.
  private mutating func readInventory(_ extra: [String] = []) async throws {
    try await session.subscribe(FleetInventory.topics + extra)
    var marker = 0
    var timer = tick(marker, after: .milliseconds(500))
    while let message = await messages.next(isolation: #isolation) {
      if message.topic == Self.tickTopic(marker) { return }
      guard !message.topic.isEmpty, inventory.read(message) != nil else { continue }
      timer.cancel()
      marker += 1
      timer = tick(marker, after: .milliseconds(300))
    }
    throw MQTTFault(.lost, "the connection has ended")
  }

  private func tick(_ marker: Int, after delay: TimeAmount) -> Scheduled<Void> {
    let session = session
    return loop.scheduleTask(in: delay) { session.wake(Self.tickTopic(marker)) }
  }

  private static func tickTopic(_ marker: Int) -> String { "tick/\(marker)" }

  private func chosen(_ expression: FleetExpression) throws(Failure) -> [FleetBox] {
    let boxes = inventory.boxes(expression)
    if boxes.isEmpty {
      let count = inventory.boxes.count
      throw Failure(
        description: count == 0
          ? "the broker knows no boxes; is placard-mqtt running on them, and may this user read placard/#?"
          : "none of the \(count) boxes is chosen; `placard fleet list` shows all")
    }
    return boxes
  }

  // MARK: - Commands

  /// Lists boxes with their displays and problems.
  ///
  /// - Parameters:
  ///   - expression: The choice of boxes.
  ///   - isJSON: Whether to print JSON.
  /// - Throws: `Failure` if there are none, or `MQTTFault`.
  package mutating func list(_ expression: FleetExpression, isJSON: Bool) async throws {
    try await readInventory()
    let boxes = try chosen(expression)
    if isJSON {
      return print(String(decoding: JSONValue.array(boxes.map(\.json)).prettyEncoded, as: UTF8.self))
    }
    let width = boxes.map(\.name.count).max() ?? 0
    for box in boxes {
      let name = box.name + String(repeating: " ", count: width - box.name.count)
      let lit = box.displays.count { $0.state == "lit" }
      let here = box.displays.count { $0.state != "disconnected" }
      let tags = box.tags.isEmpty ? "" : "  [\(box.tags.joined(separator: ", "))]"
      print("\(name)  \(box.state)  \(lit) of \(here) lit\(tags)")
      guard box.isOnline else { continue }
      for reason in box.reasons { print("  \(reason)") }
    }
    let online = boxes.count(where: \.isOnline)
    print("\(boxes.count) boxes, \(online) online, \(boxes.map(\.displays.count).reduce(0, +)) displays")
  }

  /// Sends a message to boxes, and prints who has it on screen.
  ///
  /// - Parameters:
  ///   - expression: The choice of boxes.
  ///   - message: The members of the message's request, such as `text`, `priority` and `seconds`.
  ///   - expires: The time after which a box that was away does not show it any more, in milliseconds since 1970; nil
  ///     for never.
  ///   - limit: The time to wait for answers, in seconds.
  /// - Throws: `Failure` if there are no boxes, or `MQTTFault`.
  /// - Returns: Whether every display shows it.
  package mutating func show(
    _ expression: FleetExpression, _ message: [String: JSONValue], expires: Int64?, limit: Double
  ) async throws -> Bool {
    let key = String(UInt64.random(in: .min ... .max), radix: 36)
    try await readInventory(["placard/+/+/reply/\(key)"])
    let boxes = try chosen(expression)
    var body = message
    body["wait"] = true
    body["name"] = body["name"] ?? .string("fleet-\(key)")
    var members: [String: JSONValue] = ["method": "POST", "path": "/v1/messages", "body": .object(body)]
    if let expires { members["expires"] = .number("\(expires)") }
    let payload = JSONValue.object(members).encoded
    let begin = SystemClock.monotonicNanoseconds()
    var receipts = FleetReceipts(asked: boxes.count)
    var awaited: Set<String> = []
    for box in boxes {
      if box.isOnline { awaited.insert(box.name) } else { receipts.note("the box is offline", box.name) }
    }
    try await publish(boxes.map { MQTTMessage(topic: "placard/\($0.name)/cmd/\(key)", payload: payload) })
    let seconds = try await collect(&awaited, &receipts, key, since: begin, limit: limit)
    for name in awaited.sorted() { receipts.note("the box has not answered", name) }
    for line in receipts.lines(seconds) { print(line) }
    return receipts.reasons.isEmpty
  }

  /// Publishes messages in order, several at the same time.
  private func publish(_ messages: [MQTTMessage]) async throws {
    let session = session
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (place, message) in messages.enumerated() {
        if place >= 100 { try await group.next() }
        group.addTask { try await session.publish(message) }
      }
      try await group.waitForAll()
    }
  }

  /// Reads replies until all have come or the time is over; returns the seconds to the last one.
  private mutating func collect(
    _ awaited: inout Set<String>, _ receipts: inout FleetReceipts, _ key: String, since begin: UInt64, limit: Double
  ) async throws -> Double {
    var last = begin
    let timer = tick(-1, after: .nanoseconds(Int64(limit * 1e9)))
    defer { timer.cancel() }
    while !awaited.isEmpty, let message = await messages.next(isolation: #isolation) {
      if message.topic == Self.tickTopic(-1) { break }
      let levels = message.topic.split(separator: "/").map(String.init)
      guard levels.count == 5, levels[3] == "reply", levels[4] == key,
        awaited.remove("\(levels[1])/\(levels[2])") != nil
      else { continue }
      receipts.read((try? JSONValue(parsing: message.payload)) ?? .null, of: "\(levels[1])/\(levels[2])")
      last = SystemClock.monotonicNanoseconds()
    }
    return Double(last - begin) / 1e9
  }

  /// Prints the desired state of boxes.
  ///
  /// - Parameter expression: The choice of boxes.
  /// - Throws: `Failure` if there are none, or `MQTTFault`.
  package mutating func desired(_ expression: FleetExpression) async throws {
    try await readInventory()
    let boxes = try chosen(expression)
    let states = boxes.map { ($0.name, $0.desired ?? .null) }
    print(String(decoding: JSONValue.object(Dictionary(uniqueKeysWithValues: states)).prettyEncoded, as: UTF8.self))
  }

  /// Changes the desired state of boxes, and prints who has applied it.
  ///
  /// - Parameters:
  ///   - expression: The choice of boxes.
  ///   - change: The change.
  ///   - limit: The time to wait for the boxes, in seconds.
  /// - Throws: `Failure` if there are none, or `MQTTFault`.
  /// - Returns: Whether all boxes have applied it.
  package mutating func desire(
    _ expression: FleetExpression, _ change: DesiredChange, limit: Double
  ) async throws -> Bool {
    try await readInventory()
    let boxes = try chosen(expression)
    var versions: [String: Int] = [:]
    var documents: [MQTTMessage] = []
    for box in boxes {
      let document = change.applied(to: box.desired)
      versions[box.name] = document["version"]?.integer
      documents.append(
        MQTTMessage(topic: "placard/\(box.name)/desired", payload: document.encoded, isRetained: true))
    }
    try await publish(documents)
    let timer = tick(-1, after: .nanoseconds(Int64(limit * 1e9)))
    defer { timer.cancel() }
    func isApplied(_ name: String) -> Bool {
      guard let box = inventory.box(name), let version = box.desiredVersion else { return false }
      return version >= versions[name] ?? 0 && box.desiredWaiting.isEmpty
    }
    let online = boxes.filter(\.isOnline).map(\.name)
    while !online.allSatisfy(isApplied), let message = await messages.next(isolation: #isolation) {
      if message.topic == Self.tickTopic(-1) { break }
      inventory.read(message)
    }
    return report(boxes.map(\.name), isApplied)
  }

  /// Prints which boxes have applied their desired states, and why others have not.
  private func report(_ names: [String], _ isApplied: (String) -> Bool) -> Bool {
    let applied = names.filter { isApplied($0) && inventory.box($0)?.desiredRefused.isEmpty == true }
    print("\(applied.count) of \(names.count) boxes have applied it")
    for name in names where !applied.contains(name) {
      guard let box = inventory.box(name) else { continue }
      let reasons =
        !box.isOnline
        ? ["the box is offline, and applies it when it connects"]
        : box.desiredRefused.isEmpty ? ["the box has not answered"] : box.desiredRefused
      for reason in reasons { print("\(name): \(reason)") }
    }
    return applied.count == names.count
  }

  /// Prints what displays of boxes show, as JSON in one line for each proof, until enough have come.
  ///
  /// - Parameters:
  ///   - expression: The choice of boxes.
  ///   - count: The number of proofs; nil for all until the connection ends.
  /// - Throws: `MQTTFault`.
  package mutating func proof(_ expression: FleetExpression, count: Int?) async throws {
    try await session.subscribe(FleetInventory.topics + ["placard/+/+/proof/+"])
    var left = count ?? .max
    while left > 0, let message = await messages.next(isolation: #isolation) {
      inventory.read(message)
      let levels = message.topic.split(separator: "/").map(String.init)
      guard levels.count == 5, levels[3] == "proof", case .object(var proof)? = try? JSONValue(parsing: message.payload)
      else { continue }
      let box = inventory.box("\(levels[1])/\(levels[2])") ?? FleetBox(site: levels[1], node: levels[2])
      guard expression.matches(box) else { continue }
      proof["box"] = .string(box.name)
      print(String(decoding: JSONValue.object(proof).encoded, as: UTF8.self))
      left -= 1
    }
  }

  /// Prints a line for each change of a box or of a display.
  ///
  /// - Parameters:
  ///   - expression: The choice of boxes.
  ///   - count: The number of lines; nil for all until the connection ends.
  /// - Throws: `MQTTFault`.
  package mutating func watch(_ expression: FleetExpression, count: Int?) async throws {
    try await session.subscribe(FleetInventory.topics)
    var left = count ?? .max
    while left > 0, let message = await messages.next(isolation: #isolation) {
      let before = inventory
      guard let name = inventory.read(message), let box = inventory.box(name), expression.matches(box) else { continue }
      for line in Self.changes(from: before.box(name), to: box) where left > 0 {
        print(line)
        left -= 1
      }
    }
  }

  private static func changes(from old: FleetBox?, to box: FleetBox) -> [String] {
    var lines: [String] = []
    if old?.state != box.state {
      lines.append("\(box.name) \(box.state)" + (box.reasons.isEmpty ? "" : ": \(box.reasons.joined(separator: "; "))"))
    }
    let before = Dictionary(old?.displays.map { ($0.name, $0) } ?? [], uniquingKeysWith: { first, _ in first })
    for display in box.displays where before[display.name] != display {
      let detail = display.message ?? display.reason
      lines.append("\(box.name) \(display.name) \(display.state)" + (detail.map { ": \($0)" } ?? ""))
    }
    return lines
  }
}

extension FleetSession {
  /// Delivers an empty message at a topic to the consumer of `messages`.
  nonisolated func wake(_ topic: String) { receiver.yield(MQTTMessage(topic: topic, payload: [])) }
}

extension FleetBox {
  /// The box for programs.
  fileprivate var json: JSONValue {
    [
      "site": .string(site), "node": .string(node), "state": .string(state),
      "tags": .array(tags.map(JSONValue.string)), "reasons": .array(reasons.map(JSONValue.string)),
      "version": version.map { .string($0) } ?? .null,
      "desired": desiredVersion.map { .number("\($0)") } ?? .null,
      "displays": .array(
        displays.map { display in
          let texts = [
            "name": display.name, "state": display.state, "reason": display.reason, "identity": display.identity,
            "monitor": display.monitor, "message": display.message,
          ]
          return .object(texts.compactMapValues { $0.map(JSONValue.string) })
        }),
    ]
  }
}
