import Control
import ControlClient
import Foundation
import JSON
import Testing

@testable import ControlHTTP

/// The OpenAPI document. With PLACARD_UPDATE_GOLDEN=1, a changed document is written to the repository.
@Suite struct OpenAPITests {
  @Test func `The committed document matches the table of endpoints`() throws {
    let file = Contract.folder.appending(path: "openapi.json")
    if ProcessInfo.processInfo.environment["PLACARD_UPDATE_GOLDEN"] == "1" {
      try Data(Contract.document.prettyEncoded + Array("\n".utf8)).write(to: file)
    }
    #expect(try JSONValue(parsing: Data(contentsOf: file)) == Contract.document)
  }

  @Test func `The document and the scene schema are served with entity tags`() async throws {
    let schema = try Data(contentsOf: Contract.folder.appending(path: "scene.schema.json"))
    let served = ServedDocument(type: "application/schema+json", bytes: Array(schema))
    try await Serving.run(documents: { $0 == "/v1/scene.schema.json" ? served : nil }) {
      (serving: Serving) async throws in
      for (path, expected) in [
        ("/v1/openapi.json", Contract.document), ("/v1/scene.schema.json", try JSONValue(parsing: schema)),
      ] {
        let answer = try await serving.request("GET", path)
        let body = try #require(answer.range(of: "\r\n\r\n")).upperBound
        #expect(try JSONValue(parsing: answer[body...].utf8) == expected)
        let tag = try #require(answer.split(separator: "\r\n").first { $0.hasPrefix("etag: ") }?.dropFirst(6))
        let again = try await serving.answer(
          to: "GET \(path) HTTP/1.1\r\nhost: x\r\nconnection: close\r\nif-none-match: \(tag)\r\n\r\n")
        #expect(again.hasPrefix("HTTP/1.1 304 "))
      }
    }
    try await Serving.run { (serving: Serving) async throws in
      #expect(try await serving.request("GET", "/v1/scene.schema.json").hasPrefix("HTTP/1.1 404 "))
      #expect(try await serving.request("GET", "/v1/openapi.json").contains("\"openapi\":\"3.1.0\""))
    }
  }

  @Test func `Each endpoint has a unique name and path`() {
    let names = Endpoint.all.map(\.name)
    #expect(Set(names).count == names.count)
    let paths = Endpoint.all.map { "\($0.method) \($0.path)" }
    #expect(Set(paths).count == paths.count)
    #expect(Endpoint.all.allSatisfy { $0.summary.hasSuffix(".") && $0.answer.text.hasSuffix(".") })
  }

  @Test func `Every reference in the document has a target`() {
    var names: Set<String> = []
    func collect(_ value: JSONValue) {
      switch value {
      case .object(let members):
        if let name = members["$ref"]?.text { names.insert(name) }
        members.values.forEach(collect)
      case .array(let elements): elements.forEach(collect)
      default: break
      }
    }
    collect(Contract.document)
    #expect(names.count > 40)
    for name in names {
      let target = name.split(separator: "/").dropFirst().reduce(Contract.document) { $0[String($1)] ?? .null }
      #expect(target != .null, "\(name)")
    }
  }

  @Test func `Each example matches its schema`() {
    guard case .object(let paths)? = Contract.document["paths"] else {
      Issue.record("the document has no paths")
      return
    }
    var count = 0
    for endpoint in Endpoint.all {
      guard case .json(let schema) = endpoint.body else { continue }
      let body = paths[endpoint.path]?[endpoint.method.lowercased()]?["requestBody"]
      guard case .object(let examples)? = body?["content"]?["application/json"]?["examples"] else { continue }
      for (name, example) in examples {
        #expect(Contract.faults(example["value"] ?? .null, of: schema).isEmpty, "\(endpoint.name) \(name)")
        count += 1
      }
    }
    #expect(count > 10)
  }

  @Test func `The documented fields of reports are the fields that are encoded`() throws {
    let time = Timestamp(milliseconds: 0)
    var display = FakeService.pendingMode
    display.pending = PendingModeChange(mode: "a", rotation: 90, until: time)
    display.cause = .refused
    display.since = time
    display.missedFrames = 3
    display.missedInARow = 2
    display.mounted = 90
    let legibility = LegibilityReport(display: "a", letterHeight: 36, readableDistance: 6, distance: 6)
    display.legibility = legibility
    var session = FakeService.session
    session.message = "a"
    let cover = Cover(display: "a", message: 1, summary: "a", expires: time)
    session.delivery = Delivery(unseen: "a", covers: [cover], legibility: [legibility])
    let samples: [String: JSONValue] = [
      "Timestamp": try json(time), "Problem": try json(Problem(404, "a", title: "", detail: "")),
      "DisplayReport": try json(display), "PendingModeChange": try json(display.pending),
      "WhyReport": try json(
        WhyReport(display: "", policy: "", mode: "", scale: 1, reasons: [], rejected: [], attempts: [])),
      "ImageReport": try json(FakeService.pictureReport),
      "VirtualReport": try json(VirtualReport(available: true)), "Liveness": try json(Liveness()),
      "HealthReport": try json(HealthReport(state: .ok, ready: true, reasons: [], uptime: 1)),
      "LossReport": try json(FakeService.loss),
      "MessageReport": try json(
        MessageReport(id: 1, display: "", text: "", unseen: "a", covers: [cover], legibility: [legibility])),
      "Delivery": try json(Delivery(unseen: "a", covers: [cover], legibility: [legibility])),
      "DoctorReport": try json(FakeService.doctorReport), "LogReport": try json(LogReport(lines: ["a"])),
      "ClearReport": try json(FakeService.clearReport), "ClosedSessionReport": try json(FakeService.closedReport),
      "LiveMessage": try json(
        LiveMessage(
          id: 1, name: "", text: "", scene: FakeService.scene, kind: "", summary: "", target: "", created: time,
          changed: time, expires: time)),
      "SessionReport": try json(session),
      "ScrollPlace": ["position": 0, "heading": "a"], "BoardReport": try json(FakeService.boardReport),
      "LibraryReport": try json(
        LibraryReport(
          name: "a", title: "", kind: "", summary: "", scene: FakeService.scene, revision: "", changed: time)),
      "ValueReport": try json(
        ValueReport(name: "a", value: .number("1.5"), unit: "km", maxAge: 60, updated: time, displays: ["DP-1"])),
      "RestoreReport": try json(RestoreReport(restored: true, entries: 0, sessions: 0, messages: 0, monitors: 0)),
      "BridgeReport": try json(BridgeReport(name: "mqtt", state: .waiting, detail: "a", since: time)),
      "ScheduleSlot": try json(
        ScheduleSlot(display: "", from: time, until: time, asleep: false, kind: "", summary: "", because: [])),
      "HistoryLine": try json(
        HistoryLine(id: "39", display: "", monitor: "", session: 1, kind: "", what: "", began: time, ended: time)),
      "ControlEvent": try json(
        ControlEvent(id: 1, kind: .dark, display: "", time: 0, date: time, detail: "", session: 1, message: 2)),
      "SceneDocument": ["kind": "banner"],
    ]
    let names = InterfaceCatalog.types.map { $0.interface }.filter { $0.noun.isEmpty }.map(\.name) + ["SceneDocument"]
    #expect(Set(samples.keys).union(["ServiceStatus"]) == Set(names))
    for (name, sample) in samples {
      guard case .object(let members) = sample else { continue }
      #expect(Set(members.keys) == properties(of: name), "\(name)")
      #expect(Contract.faults(sample, of: name).isEmpty, "\(name)")
    }
  }

  private func json(_ value: some Encodable) throws -> JSONValue { try JSONValue(parsing: JSON.encode(value)) }

  private func properties(of name: String) -> Set<String> {
    guard case .object(let members)? = Contract.document["components"]?["schemas"]?[name]?["properties"] else {
      return []
    }
    return Set(members.keys)
  }
}
