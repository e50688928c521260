import Control
import ControlClient
import ControlHTTP
import Testing

@Suite struct RoutesTests {
  @Test(
    "Each resource responds to GET with its report",
    arguments: [
      ("/v1/status", "\"backend\":\"virtual\""), ("/v1/displays", "\"name\":\"HDMI-A-1\""),
      ("/v1/displays/HDMI-A-1", "\"mode\":\"1920x1080@60\""), ("/v1/displays/HDMI-A-1/why", "\"policy\":\"legible\""),
      ("/v1/message", "\"shown\":[]"), ("/v1/displays/HDMI-A-1/message", "\"display\":\"HDMI-A-1\""),
      ("/v1/displays/b%C3%BCro%201%2f2", "\"name\":\"büro 1/2\""), ("http://localhost/v1/status", "\"pid\":7"),
      ("/v1/sessions", "\"place\":\"DP-1\""),
    ])
  func get(path: String, expected: String) async throws {
    try await Serving.run { serving in
      let answer = try await serving.request("GET", path)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.contains("content-type: application/json\r\n"))
      #expect(answer.contains(expected))
    }
  }

  @Test func `The response to HEAD has the length of the body and no body`() async throws {
    try await Serving.run { serving in
      let get = try await serving.request("GET", "/v1/status")
      let head = try await serving.request("HEAD", "/v1/status")
      let end = try #require(get.firstRange(of: "\r\n\r\n")).upperBound
      #expect(head == get[..<end])
    }
  }

  @Test func `One or all displays are put to sleep and woken`() async throws {
    try await Serving.run { serving in
      let answer = try await serving.request("PUT", "/v1/sleep", body: "{\"asleep\":true,\"display\":\"HDMI-A-1\"}")
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.contains("\"name\":\"HDMI-A-1\""))
      _ = try await serving.client.setAsleep(SleepRequest(asleep: false))
      #expect(serving.service.sleeps == [SleepRequest(asleep: true, display: "HDMI-A-1"), SleepRequest(asleep: false)])
      #expect(try await serving.client.sessions().map(\.message) == ["Closed", nil])
      #expect(try await serving.request("PUT", "/v1/sleep", body: "{}").contains("The field asleep is missing."))
      #expect(try await serving.request("GET", "/v1/sleep").hasPrefix("HTTP/1.1 405 "))
    }
  }

  @Test func `The response to a screenshot request is the image's bytes`() async throws {
    try await Serving.run { serving in
      let picture = try await serving.client.screenshot("HDMI-A-1")
      #expect(picture == FakeService.picture)
      let head = try await serving.request("HEAD", "/v1/displays/HDMI-A-1/screenshot")
      #expect(head.contains("content-type: image/png\r\n"))
    }
  }

  @Test(
    "A message targets the display in the path or in the body",
    arguments: [
      ("/v1/message", "{\"text\":\"a\"}", MessageRequest(text: "a")),
      (
        "/v1/message", "{\"text\":\"ü\\n\",\"display\":\"HDMI-A-1\",\"wait\":true}",
        MessageRequest(text: "ü\n", display: "HDMI-A-1", wait: true)
      ),
      ("/v1/displays/HDMI-A-1/message", " {\"text\":\"\"} ", MessageRequest(text: "", display: "HDMI-A-1")),
      (
        "/v1/displays/HDMI-A-1/message", "{\"text\":\"b\",\"display\":\"HDMI-A-1\"}",
        MessageRequest(text: "b", display: "HDMI-A-1")
      ),
    ])
  func put(path: String, body: String, expected: MessageRequest) async throws {
    try await Serving.run { serving in
      let answer = try await serving.request("PUT", path, body: body)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(serving.service.requests == [expected])
    }
  }

  @Test(
    "A CSV file sets the rows of a live value",
    arguments: [
      ("", "Time,To\n10:24,\"Berlin, Hbf\"\n", 200, "\"value\":[[\"Time\",\"To\"],[\"10:24\",\"Berlin, Hbf\"]]"),
      ("?header=true&max-age=600", "Time;To\n10:24;Berlin\n", 200, "\"maxAge\":600,"),
      ("?header=true", "Time;To\n10:24;Berlin\n", 200, "\"value\":[[\"10:24\",\"Berlin\"]]"),
      ("", "a,b\n\"c", 422, "the quote that opens in line 2 is not closed"),
      ("?header=yes", "a,b\n", 400, "The field header is yes: it must be true or false."),
      ("?max-age=0", "a,b\n", 400, "The field max-age is 0: it must be a number of seconds, 1 to "),
    ])
  func rows(query: String, file: String, status: Int, expected: String) async throws {
    try await Serving.run { serving in
      let answer = try await serving.request("PUT", "/v1/values/departures/rows\(query)", body: file)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
      #expect(answer.contains(expected), "\(answer)")
    }
  }

  @Test func `A virtual monitor is created and removed`() async throws {
    try await Serving.run { serving in
      let plugged = try await serving.request("POST", "/v1/virtual", body: "{\"width\":800,\"height\":480}")
      #expect(plugged.hasPrefix("HTTP/1.1 201 Created\r\n"))
      #expect(serving.service.plugs == [PlugRequest(width: 800, height: 480)])
      let unplugged = try await serving.request("DELETE", "/v1/virtual/HDMI-A-1")
      #expect(unplugged.hasPrefix("HTTP/1.1 204 No Content\r\n"))
      #expect(unplugged.hasSuffix("\r\n\r\n") && !unplugged.contains("content-length"))
    }
  }

  @Test(
    "An operation that fails is reported with its status and a sentence",
    arguments: [
      ("GET", "/", nil, 404, "There is nothing at /"), ("GET", "/v1/statuses", nil, 404, "/v1/statuses"),
      ("GET", "/v1/displays/", nil, 404, "/v1/displays/"), ("GET", "/v2/status", nil, 404, "/v2/status"),
      ("GET", "/v1/displays/DP-9", nil, 404, "there is no display DP-9; the displays are HDMI-A-1"),
      ("GET", "/v1/displays/DP-9/why", nil, 404, "DP-9"), ("GET", "/v1/displays/DP-9/screenshot", nil, 404, "DP-9"),
      ("DELETE", "/v1/virtual/DP-9", nil, 404, "DP-9"), ("DELETE", "/v1/displays/DP-9/message", nil, 404, "DP-9"),
      ("GET", "/v1/displays/%zz", nil, 400, "write % itself as %25"), ("GET", "/v1/displays/%f", nil, 400, "%25"),
      ("GET", "/v1/displays/%ff%fe", nil, 400, "not UTF-8"), ("GET", "/v1/status?x=1", nil, 400, "accepts no query"),
      ("PUT", "/v1/message", nil, 400, "has no body"), ("PUT", "/v1/message", "{", 400, "The body is not JSON"),
      ("PUT", "/v1/message", "hello", 400, "The body is not JSON"), ("PUT", "/v1/message", "[]", 422, "not an object"),
      ("PUT", "/v1/message", "\"a\"", 422, "not an object"), ("PUT", "/v1/message", "null", 422, "not an object"),
      ("PUT", "/v1/message", "{}", 422, "A message at this path needs text or scene"),
      ("PUT", "/v1/message", "{\"text\":1}", 422, "The field text is not a string"),
      ("PUT", "/v1/message", "{\"text\":null}", 422, "The field text is null"),
      ("PUT", "/v1/message", "{\"text\":\"a\",\"wait\":\"yes\"}", 422, "wait is not true or false"),
      ("PUT", "/v1/message", "{\"txt\":\"a\"}", 422, "not txt: check the spelling"),
      (
        "PUT", "/v1/displays/HDMI-A-1/message", "{\"text\":\"a\",\"display\":\"DP-1\"}", 422,
        "HDMI-A-1 and the body DP-1"
      ),
      ("PUT", "/v1/message", "{\"text\":\"conflict\"}", 409, "plug one in"),
      ("PUT", "/v1/message", "{\"text\":\"fail\"}", 500, "The card failed"),
      ("POST", "/v1/virtual", "{\"width\":1,\"height\":1}", 422, "16 to 16384"),
      ("POST", "/v1/virtual", "{\"width\":1.5}", 422, "whole"),
      ("POST", "/v1/virtual", "{\"size\":1}", 422, "not size"),
    ] as [(String, String, String?, Int, String)])
  func refusals(method: String, path: String, body: String?, status: Int, detail: String) async throws {
    try await Serving.run { serving in
      let answer = try await serving.request(method, path, body: body)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
      #expect(answer.contains("content-type: application/problem+json\r\n"))
      #expect(answer.contains("\"status\":\(status)") && answer.contains("\"type\":\"urn:placard:problem:"))
      #expect(answer.contains(detail))
    }
  }

  @Test(
    "The response to a wrong method lists the allowed methods",
    arguments: [
      ("POST", "/v1/status", "GET, HEAD"), ("PUT", "/v1/sessions", "GET, HEAD, POST"),
      ("PUT", "/v1/displays", "GET, HEAD"),
      ("POST", "/v1/message", "GET, HEAD, PUT, DELETE"),
      ("PATCH", "/v1/displays/DP-9/message", "GET, HEAD, PUT, DELETE"),
      ("DELETE", "/v1/virtual", "GET, HEAD, POST"), ("PUT", "/v1/virtual/x", "DELETE"), ("HEAD", "/v1/events", "GET"),
    ])
  func wrongMethod(method: String, path: String, allow: String) async throws {
    try await Serving.run { serving in
      let answer = try await serving.request(method, path)
      #expect(answer.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
      #expect(answer.contains("allow: \(allow)\r\n"))
    }
  }
}
