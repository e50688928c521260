import Access
import ControlHTTP
import Testing

@Suite struct GateTests {
  @Test(
    "The host names of this machine and of the settings are accepted",
    arguments: ["127.0.0.1", "localhost", "LOCALHOST:1", "localhost.", "[::1]:8080", "127.0.0.2", "sign.example:443"])
  func ownHost(host: String) async throws {
    try await WebServing.run(hosts: ["sign.example"]) { web async throws in
      #expect(try await web.status("GET", "/v1/status", ["host: \(host)"]) == 200)
    }
  }

  @Test(
    "A foreign host name is rejected, and the error names the key that allows it (DNS rebinding)",
    arguments: ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "8.8.8.8", "sign.example.evil"])
  func foreignHost(host: String) async throws {
    try await WebServing.run(hosts: ["sign.example"]) { web async throws in
      let answer = try await web.request("GET", "/v1/status", ["host: \(host)"])
      #expect(answer.hasPrefix("HTTP/1.1 421 ") && answer.contains("hosts in [controller]"))
    }
  }

  @Test(
    "A request needs exactly one Host header",
    arguments: [
      "GET /v1/status HTTP/1.1\r\n\r\n", "GET /v1/status HTTP/1.0\r\n\r\n",
      "GET /v1/status HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n",
      "GET /v1/status HTTP/1.1\r\nhost:\r\n\r\n", "GET /v1/status HTTP/1.1\r\nhost: a b\r\n\r\n",
      "GET /v1/status HTTP/1.1\r\nhost: localhost, evil.example\r\n\r\n",
      "GET http://evil.example/v1/status HTTP/1.1\r\nhost: localhost\r\n\r\n",
      "GET http://localhost@evil.example/v1/status HTTP/1.1\r\nhost: localhost\r\n\r\n",
    ])
  func hosts(head: String) async throws {
    try await WebServing.run { web async throws in
      let bytes = head.replacing("\r\n\r\n", with: "\r\nconnection: close\r\n\r\n")
      #expect(try await web.answer(to: bytes).contains(" 400 Bad Request\r\n"))
    }
  }

  @Test func `The Unix socket requires no Host, Content-Type or Origin`() async throws {
    try await WebServing.run(token: WebServing.token) { web async throws in
      let answer = try await web.serving.answer(
        to: "PUT /v1/message HTTP/1.1\r\nhost: evil.example\r\norigin: http://evil.example\r\n"
          + "connection: close\r\ncontent-length: 12\r\n\r\n{\"text\":\"a\"}")
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test(
    "Requests of a foreign origin are rejected",
    arguments: [
      ["origin: http://evil.example"], ["origin: null"], ["origin: http://localhost:1"], ["origin: https://localhost"],
      ["origin: http://localhost", "origin: http://localhost"], ["origin:"], ["sec-fetch-site: cross-site"],
      ["sec-fetch-site: same-site"],
    ])
  func foreignOrigin(headers: [String]) async throws {
    try await WebServing.run { web async throws in
      let headers = ["host: localhost"] + headers
      for (method, path, body) in [("PUT", "/v1/message", "{\"text\":\"a\"}"), ("DELETE", "/v1/message", nil)] {
        let answer = try await web.request(method, path, headers, body: body)
        #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.contains("foreign-origin"))
      }
      #expect(web.serving.service.requests.isEmpty)
      #expect(try await web.status("GET", "/v1/status", headers) == 200)
    }
  }

  @Test(
    "Requests of the page itself and of programs are accepted",
    arguments: [
      ["host: localhost", "origin: http://localhost"], ["host: localhost:80", "origin: http://localhost"],
      ["host: Localhost:8080", "origin: http://localhost:8080", "sec-fetch-site: same-origin"],
      ["host: 127.0.0.1", "sec-fetch-site: none"], [],
    ])
  func ownOrigin(headers: [String]) async throws {
    try await WebServing.run { web async throws in
      #expect(try await web.status("PUT", "/v1/message", headers, body: "{\"text\":\"a\"}") == 200)
    }
  }

  @Test func `Only origins in the settings may send and read cross-origin requests`() async throws {
    try await WebServing.run(origins: ["https://app.example"]) { web async throws in
      let guest = "origin: https://app.example"
      let asked = try await web.request("OPTIONS", "/v1/message", [guest, "access-control-request-method: PUT"])
      #expect(asked.hasPrefix("HTTP/1.1 204 "))
      #expect(header("access-control-allow-origin", of: asked) == "https://app.example")
      #expect(header("access-control-allow-headers", of: asked)?.contains("idempotency-key") == true)
      let put = try await web.request("PUT", "/v1/message", [guest], body: "{\"text\":\"a\"}")
      #expect(put.hasPrefix("HTTP/1.1 200 ") && header("vary", of: put) == "origin")
      #expect(header("access-control-allow-origin", of: put) == "https://app.example")
      let stranger = ["origin: https://evil.example", "access-control-request-method: PUT"]
      let refused = try await web.request("OPTIONS", "/v1/message", stranger)
      #expect(refused.hasPrefix("HTTP/1.1 403 ") && header("access-control-allow-origin", of: refused) == nil)
      let read = try await web.request("GET", "/v1/status", ["origin: https://evil.example"])
      #expect(header("access-control-allow-origin", of: read) == nil)
    }
  }

  @Test(
    "A body with a Content-Type that any page may send is rejected",
    arguments: [
      "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "",
      "application/json\r\ncontent-type: text/plain", "application/jsonp", "text/plain; application/json",
    ])
  func types(type: String) async throws {
    try await WebServing.run { web async throws in
      let answer = try await web.request("PUT", "/v1/message", ["content-type: \(type)"], body: "{\"text\":\"a\"}")
      #expect(answer.hasPrefix("HTTP/1.1 415 ") && web.serving.service.requests.isEmpty)
    }
  }

  @Test func `A CSV file is accepted for the rows of a value only`() async throws {
    try await WebServing.run { web async throws in
      let (rows, csv) = ("/v1/values/departures/rows", ["content-type: text/csv; charset=utf-8"])
      #expect(try await web.status("PUT", rows, csv, body: "a,b\n") == 200)
      #expect(try await web.status("PUT", "/v1/values/departures", csv, body: "a,b\n") == 415)
      let answer = try await web.request("PUT", rows, ["content-type: text/plain"], body: "a,b\n")
      #expect(answer.hasPrefix("HTTP/1.1 415 ") && answer.contains("text/csv"))
    }
  }

  @Test func `application/json may have a charset`() async throws {
    try await WebServing.run { web async throws in
      let headers = ["content-type: Application/JSON ; charset=utf-8"]
      #expect(try await web.status("PUT", "/v1/message", headers, body: "{\"text\":\"a\"}") == 200)
    }
  }

  @Test(arguments: ["/v1/status", "/nothing", "/login.css", "/v1/displays/x"])
  func `Every response has the security headers`(path: String) async throws {
    try await WebServing.run { web async throws in
      let answer = try await web.request("GET", path)
      let policy = try #require(header("content-security-policy", of: answer))
      #expect(policy.hasPrefix("default-src 'self';") && policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("unsafe"))
      #expect(header("x-content-type-options", of: answer) == "nosniff")
      #expect(header("referrer-policy", of: answer) == "same-origin")
      #expect(header("cross-origin-resource-policy", of: answer) == "same-origin")
      #expect(header("cache-control", of: answer) != nil)
    }
  }

  @Test func `Requests of one address are rate-limited, except on the Unix socket`() async throws {
    var limits = AccessLimits.patient
    (limits.requestsPerSecond, limits.requestsBurst) = (1, 3)
    try await WebServing.run(limits: limits) { web async throws in
      #expect(try await web.status("GET", "/v1/status") == 200)
      // On a busy machine, the rate limit recovers a little between two requests.
      var answer = ""
      for _ in 0..<50 where !answer.hasPrefix("HTTP/1.1 429 ") { answer = try await web.request("GET", "/v1/status") }
      #expect(answer.hasPrefix("HTTP/1.1 429 ") && header("retry-after", of: answer) == "1")
      for _ in 0..<5 { #expect(try await web.serving.request("GET", "/v1/status").hasPrefix("HTTP/1.1 200 ")) }
    }
  }
}
