import Control
import ControlClient
import ControlHTTP
import FakeServiceSupport
import JSON
import Testing

@Suite struct SessionRoutesTests {
  private static let scene = JSONValue.object(["kind": .string("blank")])

  @Test func `Every call for sessions, messages and the history reaches the service, and its response is returned`()
    async throws
  {
    try await Serving.run { (serving: Serving) async throws in
      let (client, service) = (serving.client, serving.service)
      #expect(try await client.sessions() == service.sessions())
      let scene = OpenRequest(scene: FakeService.scene, display: "büro 1/2", tag: "lobby", wait: true)
      #expect(try await client.open(scene) == FakeService.session)
      #expect(try await client.move(17, to: "HDMI-A-1") == FakeService.session)
      #expect(try await client.scroll(17, .heading("first-steps")) == FakeService.session)
      #expect(try await client.refresh(17) == FakeService.session)
      try await client.close(17)
      let message = MessageRequest(
        scene: FakeService.scene, tag: "lobby", name: "fire", priority: -100, seconds: 1, acknowledge: true,
        wait: false)
      #expect(try await client.post(message) == MessageReport(id: 5, display: nil, text: nil))
      #expect(try await client.messages() == service.messages())
      try await client.acknowledge(5)
      try await client.withdraw(5)
      let query = HistoryQuery(since: -1, until: 1_795_276_898_123, display: "büro 1/2", limit: 3)
      let history = try await service.history(query)
      #expect(try await client.history(query) == history)
      #expect(
        service.calls == [
          .open(scene), .move(17, "HDMI-A-1"), .scroll(17, .heading("first-steps")), .refresh(17), .close(17),
          .post(message), .acknowledge(5), .withdraw(5), .history(query), .history(query),
        ])
    }
  }

  @Test func `Removals, acknowledgements and withdrawals respond with 204`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      for (method, path) in [
        ("DELETE", "/v1/sessions/17"), ("PUT", "/v1/messages/5/acknowledgement"), ("DELETE", "/v1/messages/5"),
      ] {
        #expect(try await serving.request(method, path).hasPrefix("HTTP/1.1 204 No Content\r\n"))
      }
    }
  }

  @Test(
    "Queries of the history accept times in milliseconds or ISO 8601",
    arguments: [
      ("", HistoryQuery()), ("?", HistoryQuery()), ("?format=json&limit=1", HistoryQuery(limit: 1)),
      ("?since=0&until=1000", HistoryQuery(since: 0, until: 1000)),
      ("?since=1970-01-02", HistoryQuery(since: 86_400_000)),
      ("?since=1970-01-01T00:00:01.5Z", HistoryQuery(since: 1500)),
      ("?since=1970-01-01T01:00:00.0071+01:00", HistoryQuery(since: 7)),
      ("?since=1970-01-01T00:00%2B01", HistoryQuery(since: -3_600_000)),
      ("?display=b%C3%BCro%201/2", HistoryQuery(display: "büro 1/2")),
    ])
  func query(text: String, expected: HistoryQuery) async throws {
    try await Serving.run { (serving: Serving) async throws in
      let answer = try await serving.request("GET", "/v1/history\(text)")
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(serving.service.calls == [.history(expected)])
    }
  }

  @Test func `The history is available as CSV, with any characters in its fields`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let table = String(decoding: try await serving.client.historyTable(), as: UTF8.self)
      #expect(
        table == """
          display,monitor,session,kind,what,began,ended,began_ms,ended_ms,exact\r
          HDMI-A-1,DEL-1,,banner,"a ""b"", c\nd",2026-11-21T16:01:38.123Z,,1795276898123,,true\r
          büro 1/2,DEL-1,17,card,Grüße,2026-11-21T16:01:38.123Z,2026-11-21T16:01:39.000Z,1795276898123,1795276899000,false\r

          """)
      let answer = try await serving.request("GET", "/v1/history?format=csv")
      #expect(answer.contains("content-type: text/csv; charset=utf-8; header=present\r\n"))
    }
  }

  @Test(
    "An invalid request is rejected with its status, the field and the fix",
    arguments: [
      ("POST", "/v1/sessions/17", nil, 405, "use GET, HEAD, PUT, DELETE"),
      ("GET", "/v1/sessions/17/x", nil, 404, "nothing at"),
      ("DELETE", "/v1/sessions/0", nil, 404, "0 is not the ID of a session: IDs are whole numbers from 1"),
      ("DELETE", "/v1/sessions/HDMI-A-1", nil, 404, "/v1/sessions lists them"),
      ("DELETE", "/v1/messages/99999999999999999999", nil, 404, "/v1/messages lists them"),
      ("DELETE", "/v1/sessions/18", nil, 404, "there is no session 18; `placard sessions` lists them"),
      ("PUT", "/v1/messages/6/acknowledgement", nil, 404, "there is no message 6; `placard messages` lists them"),
      ("POST", "/v1/sessions", nil, 400, "A session has the fields scene, display, tag, wait"),
      ("POST", "/v1/sessions", "{\"display\":\"HDMI-A-1\"}", 422, "The field scene is missing"),
      ("POST", "/v1/sessions", "{\"scene\":{},\"tag\":\"\"}", 422, "The field tag is empty"),
      ("POST", "/v1/sessions", "{\"scene\":{},\"tags\":1}", 422, "not tags: check the spelling"),
      ("PUT", "/v1/sessions/17", "{}", 422, "The field display is missing"),
      ("PUT", "/v1/sessions/17/scroll", "{}", 422, "A request to scroll needs position, heading or page"),
      (
        "PUT", "/v1/sessions/17/scroll", "{\"page\":1,\"position\":0}", 422,
        "has position and page: send only position, heading or page"
      ),
      ("PUT", "/v1/sessions/17/scroll", "{\"position\":1.01}", 422, "The field position is 1.01"),
      ("PUT", "/v1/sessions/17/scroll", "{\"page\":9223372036854775807}", 422, "-1000 to 1000"),
      ("PUT", "/v1/sessions/17/scroll", "{\"page\":\"next\"}", 422, "page is not a whole number"),
      ("PUT", "/v1/sessions/17/scroll", "{\"position\":\"half\"}", 422, "position is not a number"),
      ("POST", "/v1/messages", "{}", 422, "A message needs text or scene"),
      (
        "POST", "/v1/messages", "{\"text\":\"a\",\"scene\":{}}", 422,
        "A message has text and scene: send only text or scene."
      ),
      (
        "POST", "/v1/messages", "{\"text\":\"a\",\"tag\":\"b\",\"role\":\"external\"}", 422,
        "has role and tag: send only display, role or tag"
      ),
      ("POST", "/v1/messages", "{\"text\":\"a\",\"role\":\"lobby\"}", 422, "internal or external"),
      ("POST", "/v1/messages", "{\"text\":\"a\",\"priority\":101}", 422, "from -100 to 100"),
      ("POST", "/v1/messages", "{\"text\":\"a\",\"seconds\":0}", 422, "The field seconds is 0"),
      ("POST", "/v1/messages", "{\"text\":\"a\",\"name\":\"\"}", 422, "The field name is empty"),
      ("PUT", "/v1/message", "{\"text\":\"a\",\"priority\":1}", 422, "posted to /v1/messages"),
      ("GET", "/v1/history?sinc=1", nil, 400, "but not sinc"),
      ("GET", "/v1/history?since=", nil, 400, "since is empty"),
      ("GET", "/v1/history?since", nil, 400, "since is empty"), ("GET", "/v1/history?limit=0", nil, 400, "from 1"),
      ("GET", "/v1/history?since=1&since=2", nil, 400, "since twice"),
      ("GET", "/v1/history?x=%", nil, 400, "but not x"),
      ("GET", "/v1/history?since=today", nil, 400, "The field since: \\\"today\\\" is not a date and time"),
      ("GET", "/v1/history?until=2026-02-30", nil, 400, "there is no such day"),
      ("GET", "/v1/history?format=xml", nil, 400, "json or csv"), ("GET", "/v1/history?display=%ff", nil, 400, "UTF-8"),
      ("GET", "/v1/board?a=1", nil, 400, "accepts no query"),
    ] as [(String, String, String?, Int, String)])
  func refusals(method: String, path: String, body: String?, status: Int, detail: String) async throws {
    try await Serving.run { (serving: Serving) async throws in
      let answer = try await serving.request(method, path, body: body)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
      #expect(answer.contains("content-type: application/problem+json\r\n"))
      #expect(answer.contains(detail))
      #expect(serving.service.calls.isEmpty)
    }
  }
}
