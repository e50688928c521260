import Control
import ControlClient
import ControlHTTP
import FakeServiceSupport
import JSON
import Testing

/// Routes for controllers: modes, previews, edits with revisions, the board, images, health.
@Suite struct ControllerRoutesTests {
  private static let revision = FakeService.session.revision ?? ""

  @Test func `Every controller call reaches the service, and its response is returned`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let client = serving.client
      let mode = ModeRequest(mode: "1280x720@60", rotation: 90, keep: true)
      #expect(try await client.setMode("büro 1/2", mode) == FakeService.pendingMode)
      #expect(try await client.confirmMode("büro 1/2") == FakeService.report("büro 1/2"))
      #expect(try await client.resetMode("HDMI-A-1") == FakeService.report("HDMI-A-1"))
      #expect(try await client.identify(IdentifyRequest(seconds: 5)).map(\.name) == ["HDMI-A-1"])
      let edit = SceneEdit(scene: FakeService.scene, expecting: Self.revision)
      #expect(try await client.edit(17, edit) == FakeService.session)
      #expect(try await client.session(17) == FakeService.session)
      let columns = SceneEdit(scene: ["kind": "board"], expecting: nil)
      #expect(try await client.setBoard(columns) == FakeService.boardReport)
      #expect(try await client.board() == FakeService.boardReport)
      #expect(try await client.addImage(FakeService.picture, file: "poster 1.png") == FakeService.pictureReport)
      #expect(try await client.images() == [FakeService.pictureReport])
      #expect(try await client.image("ab.png") == FakeService.picture)
      try await client.removeImage("ab.png")
      #expect(try await client.health() == serving.service.health())
      #expect(try await client.virtualMonitors() == serving.service.virtualMonitors())
      #expect(
        serving.service.calls == [
          .setMode("büro 1/2", mode), .confirmMode("büro 1/2"), .resetMode("HDMI-A-1"),
          .identify(IdentifyRequest(seconds: 5)), .edit(17, edit), .setBoard(columns),
          .addImage(FakeService.picture, "poster 1.png"), .removeImage("ab.png"),
        ])
    }
  }

  @Test func `Losses are acknowledged, one or all, and an unknown loss is rejected`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let client = serving.client
      try await client.acknowledgeLoss(3)
      #expect(try await client.acknowledgeLosses() == [FakeService.loss])
      #expect(serving.service.calls == [.acknowledgeLoss(3), .acknowledgeLosses])
      for (id, words) in [
        ("4", "there is no loss 4 to acknowledge; `placard health --json` lists them"),
        ("0", "0 is not the ID of a loss: IDs are whole numbers from 1, and /v1/health lists them."),
      ] {
        let answer = try await serving.answer(
          to: "PUT /v1/losses/\(id)/acknowledgement HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 404 ") && answer.contains(words), "\(answer)")
      }
    }
  }

  @Test func `A preview that the client already has is not sent again`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let client = serving.client
      let first = try await client.preview("HDMI-A-1", PreviewRequest(width: 64, format: .png))
      #expect(first == Preview(tag: "a1-64-png", type: "image/png", bytes: FakeService.picture))
      let again = try await client.preview("HDMI-A-1", PreviewRequest(width: 64, format: .png, known: first.tag))
      #expect(again.bytes == nil && again.tag == first.tag)
      let known = ["If-None-Match: \"x\", W/\"a1-480-jpeg\"", "If-None-Match: *"]
      for header in known {
        let answer = try await serving.answer(
          to: "GET /v1/displays/HDMI-A-1/preview HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\(header)\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 304 Not Modified\r\n") && answer.hasSuffix("\r\n\r\n"))
        #expect(answer.contains("etag: \"a1-480-jpeg\"\r\n") && !answer.contains("content-length"))
      }
    }
  }

  @Test(
    "An edit applies only to the revisions in If-Match",
    arguments: [
      ("\"\(revision)\"", 200), ("\"x\"", 412), ("*", 200), ("\"x\", \"\(revision)\"", 200), ("W/\"\(revision)\"", 412),
      ("\"x\", W/\"\(revision)\"", 412), ("\"x\",\"y\"", 412), (revision, 400), ("\"\(revision)\" \"x\"", 400),
      ("", 412),
      ("\"", 400), ("\"a b\"", 400), (" , \"\(revision)\",", 200),
    ])
  func ifMatch(header: String, status: Int) async throws {
    try await Serving.run { (serving: Serving) async throws in
      for (method, path, body) in [
        ("PUT", "/v1/sessions/17/scene", "{\"kind\":\"blank\"}"),
        ("PUT", "/v1/sessions/17", "{\"display\":\"HDMI-A-1\"}"),
        ("DELETE", "/v1/sessions/17", ""),
      ] {
        let answer = try await serving.answer(
          to: "\(method) \(path) HTTP/1.1\r\nhost: x\r\nconnection: close\r\nif-match: \(header)\r\n"
            + "content-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(answer.hasPrefix("HTTP/1.1 \(status == 200 && method == "DELETE" ? 204 : status) "), "\(answer)")
      }
      #expect(serving.service.calls.isEmpty == (status != 200))
    }
  }

  @Test func `A state without an entity tag matches no tag`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let answer = try await serving.answer(
        to: "DELETE /v1/messages/5 HTTP/1.1\r\nhost: x\r\nconnection: close\r\nif-match: \"x\"\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 412 ") && serving.service.calls.isEmpty)
    }
  }

  @Test func `The response to a creation has a Location, and editable resources have an ETag`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let opened = try await serving.request("POST", "/v1/sessions", body: "{\"scene\":{}}")
      #expect(opened.hasPrefix("HTTP/1.1 201 ") && opened.contains("location: /v1/sessions/17\r\n"))
      let posted = try await serving.request("POST", "/v1/messages", body: "{\"text\":\"a\"}")
      #expect(posted.contains("location: /v1/messages/5\r\n"))
      let plugged = try await serving.request(
        "POST", "/v1/virtual", body: "{\"display\":\"büro\",\"width\":640,\"height\":480}")
      #expect(plugged.contains("location: /v1/displays/b%C3%BCro\r\n"))
      let session = try await serving.request("GET", "/v1/sessions/17")
      #expect(session.contains("etag: \"\(Self.revision)\"\r\n") && session.contains("cache-control: no-cache\r\n"))
      #expect(try await serving.request("GET", "/v1/board").contains("etag: \"b0a2d\"\r\n"))
      #expect(try await serving.request("GET", "/v1/messages/5").contains("\"name\":\"fire\""))
    }
  }

  @Test func `A service that is starting is live but not ready`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      #expect(try await serving.request("GET", "/v1/health/ready").hasPrefix("HTTP/1.1 200 "))
      try await serving.client.identify(IdentifyRequest(seconds: 600))
      let answer = try await serving.request("GET", "/v1/health/ready")
      #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("DP-1 is dark"))
      #expect(try await serving.request("GET", "/v1/health/live").hasSuffix("{\"live\":true}"))
      #expect(try await serving.request("GET", "/v1/health").contains("\"state\":\"starting\""))
    }
  }

  @Test func `The limit of an image is larger than the limit of a JSON body`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let bytes = [UInt8](repeating: 0xff, count: 3 << 20)
      #expect(try await serving.client.addImage(bytes) == FakeService.pictureReport)
      #expect(serving.service.calls == [.addImage(bytes, nil)])
    }
  }

  @Test(
    "Invalid controller requests are rejected with the field and the fix",
    arguments: [
      ("GET", "/v1/displays/HDMI-A-1/preview?width=15", nil, 400, "16 to 1920"),
      ("GET", "/v1/displays/HDMI-A-1/preview?format=gif", nil, 400, "jpeg or png"),
      ("GET", "/v1/displays/HDMI-A-1/preview?size=1", nil, 400, "but not size"),
      ("GET", "/v1/displays/DP-9/preview", nil, 404, "DP-9"),
      ("GET", "/v1/events?after=7", nil, 400, "is not the ID of an event"),
      ("PUT", "/v1/displays/HDMI-A-1/mode", "{}", 422, "A request for a mode needs mode or rotation"),
      ("PUT", "/v1/displays/HDMI-A-1/mode", "{\"rotation\":45}", 422, "0, 90, 180 or 270"),
      ("POST", "/v1/identify", "{\"seconds\":601}", 422, "1 to 600"),
      ("PUT", "/v1/sessions/17/scene", nil, 400, "no body"), ("PUT", "/v1/board", "{", 400, "not JSON"),
      ("GET", "/v1/sessions/18", nil, 404, "no session 18"), ("GET", "/v1/messages/4", nil, 404, "no message 4"),
      ("POST", "/v1/images", nil, 400, "empty"), ("GET", "/v1/images/x", nil, 404, "no picture x"),
      ("DELETE", "/v1/images/x", nil, 409, "Session 17 shows x"),
    ] as [(String, String, String?, Int, String)])
  func refusals(method: String, path: String, body: String?, status: Int, detail: String) async throws {
    try await Serving.run { (serving: Serving) async throws in
      let answer = try await serving.request(method, path, body: body)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
      #expect(answer.contains(detail), "\(answer)")
      #expect(serving.service.calls.isEmpty)
    }
  }

  @Test func `Documents are served alongside the service's resources`() async throws {
    let page = ServedDocument(type: "text/html; charset=utf-8", bytes: Array("<p>".utf8))
    try await Serving.run(documents: { $0 == "/" ? page : nil }) { (serving: Serving) async throws in
      let answer = try await serving.request("GET", "/")
      #expect(answer.contains("content-type: text/html; charset=utf-8\r\n") && answer.hasSuffix("<p>"))
      let tag = try #require(answer.split(separator: "\r\n").first { $0.hasPrefix("etag: ") }?.dropFirst(6))
      let again = try await serving.answer(
        to: "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\nif-none-match: \(tag)\r\n\r\n")
      #expect(again.hasPrefix("HTTP/1.1 304 "))
      #expect(try await serving.request("POST", "/").contains("allow: GET, HEAD\r\n"))
    }
  }

  @Test(
    arguments: [
      ("gzip, deflate, br", true), ("GZIP", true), ("*", true), ("gzip;q=0.5", true), ("br, gzip; q=0", false),
      ("*, gzip;q=0.0", false), ("br", false), ("", false), (nil, false),
    ] as [(String?, Bool)])
  func `A document is compressed for clients that accept it`(accepted: String?, isCompressed: Bool) async throws {
    let page = ServedDocument(type: "text/html; charset=utf-8", bytes: Array("<p>".utf8), gzip: Array("small".utf8))
    try await Serving.run(documents: { $0 == "/" ? page : nil }) { (serving: Serving) async throws in
      let header = accepted.map { "accept-encoding: \($0)\r\n" } ?? ""
      let answer = try await serving.answer(to: "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\(header)\r\n")
      #expect(answer.contains("content-encoding: gzip\r\n") == isCompressed)
      #expect(answer.hasSuffix(isCompressed ? "\r\n\r\nsmall" : "\r\n\r\n<p>"))
      #expect(answer.contains("vary: accept-encoding\r\n"))
    }
  }

  @Test func `Each encoding of a document has its own entity tag`() async throws {
    let page = ServedDocument(type: "text/html; charset=utf-8", bytes: Array("<p>".utf8), gzip: Array("small".utf8))
    try await Serving.run(documents: { $0 == "/" ? page : nil }) { (serving: Serving) async throws in
      let head = "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
      let plain = try await serving.answer(to: head + "\r\n")
      let tag = try #require(plain.split(separator: "\r\n").first { $0.hasPrefix("etag: ") }?.dropFirst(6))
      let compressed = try await serving.answer(to: head + "accept-encoding: gzip\r\nif-none-match: \(tag)\r\n\r\n")
      #expect(compressed.hasPrefix("HTTP/1.1 200 "))
    }
  }
}
