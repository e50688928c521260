import Control
import JSON
import NIOCore
import NIOHTTP1
import Synchronization

@testable import CommandLineTool

/// A service that answers every request, with hostile texts in place of all strings.
final class HostileStub: StubServer {
  /// The kind of its answers.
  enum Manner: Sendable {
    case reports
    case problems
  }

  private let texts: [String]
  private let reports: [String: [UInt8]]
  private let manner: Manner
  private let asked = Mutex<[String]>([])

  /// The requested paths.
  var paths: [String] { asked.withLock { $0 } }

  init(_ texts: [String], _ manner: Manner = .reports) async throws {
    (self.texts, self.manner) = (texts, manner)
    reports = try await Self.reports(texts)
  }

  func configure(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
    try pipeline.configureHTTPServerPipeline()
    try pipeline.addHandler(Answering(stub: self))
  }

  fileprivate func answer(_ method: HTTPMethod, _ target: String) -> (status: Int, type: String, body: [UInt8]) {
    asked.withLock { $0.append(target) }
    let text = texts.first ?? ""
    if manner == .problems {
      let problem: JSONValue = [
        "type": .string(text), "title": .string(text), "status": 409, "detail": .string("refused: " + text),
      ]
      return (409, "application/problem+json", problem.encoded)
    }
    let path = target.split(separator: "?")[0].split(separator: "/").dropFirst().map(String.init)
    if target.contains("format=csv") { return (200, "text/csv", csv) }
    if path.first == "events" { return (200, "text/event-stream", reports["events"] ?? []) }
    let name =
      switch (path.first ?? "", path.count) {
      case ("displays", 2...): path.last == "why" ? "why" : "display"
      case ("sessions", 2...): "session"
      case ("sessions", _) where method == .POST: "session"
      case ("messages", _) where method == .POST: "message"
      case ("message", _): "message"
      case ("virtual", _) where method == .POST: "display"
      case ("images", _) where method == .POST: "image"
      case ("identify", _), ("sleep", _): "displays"
      case (let first, _): first
      }
    return (200, "application/json", reports[name] ?? [])
  }

  private var csv: [UInt8] {
    let fields = texts.flatMap { ["=" + $0, "\"+\($0)\"", "-" + $0, "\"@,\"", $0] }
    return Array("display,monitor\r\n\(fields.joined(separator: ","))\r\n".utf8)
  }
}

extension HostileStub {
  private static func reports(_ texts: [String]) async throws -> [String: [UInt8]] {
    let fake = FakeService()
    let displays = await fake.displays()
    let message = try await fake.post(MessageRequest(text: "x", display: "DP-1", wait: true))
    let event = ControlEvent(id: 1, kind: .messageShown, display: "DP-1", time: 1, detail: "x")
    func each<Report: Codable>(_ report: Report) throws -> [Report] { try texts.map { try hostile(report, $0) } }
    func one<Report: Codable>(_ report: Report) throws -> [UInt8] { try JSON.encode(hostile(report, texts[0])) }
    var display = displays[0]
    (display.modes, display.reason) = (texts, "x")
    let cards = JSONValue.array(texts.map { ["id": .string($0), "title": .string($0), "content": .string($0)] })
    let board: JSONValue = ["kind": "board", "columns": [["title": .string(texts[0]), "cards": cards]]]
    let warned = MessageReport(
      id: 5, display: "x", text: "x", shown: message.shown, notShown: [], warnings: ["x"])
    return [
      "status": try one(await fake.status()), "displays": try JSON.encode(displays.flatMap(each)),
      "display": try JSON.encode(
        texts.map { text in
          var report = try hostile(display, text)
          report.modes = texts
          return report
        }[0]),
      "why": try one(await fake.why("DP-1")), "sessions": try JSON.encode(await fake.sessions().flatMap(each)),
      "session": try one(await fake.sessions()[0]), "messages": try JSON.encode(await fake.messages().flatMap(each)),
      "message": try one(warned), "images": try JSON.encode(await fake.images().flatMap(each)),
      "image": try one(await fake.images()[0]), "health": try one(await fake.health()),
      "virtual": try one(await fake.virtualMonitors()),
      "history": try JSON.encode(await fake.history(HistoryQuery()).flatMap(each)),
      "board": try JSON.encode(BoardReport(board: board, revision: texts[0], open: [])),
      "events": Array("id: 0-1\ndata: ".utf8) + (try one(event)) + Array("\n\n".utf8),
    ]
  }

  /// Returns the report with this text in place of each string that accepts any text.
  private static func hostile<Report: Codable>(_ report: Report, _ text: String) throws -> Report {
    var json = try JSONValue(parsing: JSON.encode(report))
    var place = 0
    while true {
      var left = place
      let changed = replacing(json, &left, text)
      if left >= 0 { break }
      if (try? JSON.decode(Report.self, from: changed.encoded)) != nil { json = changed }
      place += 1
    }
    return try JSON.decode(Report.self, from: json.encoded)
  }

  /// Returns the value with another text in place of string number `place`, and decrements `place` for each string.
  private static func replacing(_ json: JSONValue, _ place: inout Int, _ text: String) -> JSONValue {
    switch json {
    case .string:
      place -= 1
      return place == -1 ? .string(text) : json
    case .array(let elements): return .array(elements.map { replacing($0, &place, text) })
    case .object(let members):
      var changed = members
      for key in members.keys.sorted() { changed[key] = members[key].map { replacing($0, &place, text) } }
      return .object(changed)
    default: return json
    }
  }
}

/// A handler that answers each complete request and closes; confined to the channel's event loop.
private final class Answering: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let stub: HostileStub
  private var head: HTTPRequestHead?

  init(stub: HostileStub) { self.stub = stub }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: break
    case .end:
      guard let head else { return }
      let (status, type, body) = stub.answer(head.method, String(head.uri.dropFirst()))
      let headers: HTTPHeaders = [
        "content-type": type, "content-length": "\(body.count)", "connection": "close", "etag": "\"1\"",
      ]
      let answer = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
      context.write(Self.wrapOutboundOut(.head(answer)), promise: nil)
      context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
      context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
      context.close(promise: nil)
    }
  }
}
