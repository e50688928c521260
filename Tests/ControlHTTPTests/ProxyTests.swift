import Access
import NIOCore
import NIOHTTP1
import Testing

@testable import ControlHTTP

@Suite struct ProxyTests {
  private static func requestPeer(_ headers: HTTPHeaders, from address: String) throws -> RequestPeer {
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers)
    let peer = WebPeer(address: try #require(IPAddress(parsing: address)), own: nil)
    let proxies = ["127.0.0.1", "10.0.0.0/8"].compactMap { AddressRange(parsing: $0) }
    return try RequestPeer(head, from: peer, proxies: proxies)
  }

  @Test(
    "The client's address is the last one in the list that is not a proxy, and only proxies may send the list",
    arguments: [
      ("127.0.0.1", ["192.0.2.7"], "192.0.2.7"), ("127.0.0.1", ["6.6.6.6, 192.0.2.7"], "192.0.2.7"),
      ("127.0.0.1", ["6.6.6.6, 192.0.2.7, 10.1.1.1"], "192.0.2.7"),
      ("127.0.0.1", ["6.6.6.6", "192.0.2.7"], "192.0.2.7"),
      ("127.0.0.1", [], "127.0.0.1"), ("127.0.0.1", ["10.1.1.1"], "10.1.1.1"), ("127.0.0.1", ["nothing"], "127.0.0.1"),
      ("127.0.0.1", ["192.0.2.7, nothing"], "127.0.0.1"), ("127.0.0.1", ["2001:db8::7"], "2001:db8::7"),
      ("127.0.0.1", ["[2001:db8::7]:4711"], "2001:db8::7"), ("127.0.0.1", ["192.0.2.7:4711"], "192.0.2.7"),
      ("192.0.2.1", ["10.0.0.1"], "192.0.2.1"),
    ])
  func client(peer: String, lines: [String], client: String) throws {
    let headers = HTTPHeaders([("Host", "sign.example")] + lines.map { ("X-Forwarded-For", $0) })
    #expect(try Self.requestPeer(headers, from: peer).address.description == client)
  }

  @Test func `The origin is the one that the proxy was asked for, and only proxies may send it`() throws {
    let headers: HTTPHeaders = [
      "Host": "sign.example", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example",
    ]
    #expect(try Self.requestPeer(headers, from: "127.0.0.1").origin.description == "https://sign.example")
    #expect(try Self.requestPeer(headers, from: "192.0.2.1").origin.description == "http://sign.example")
  }

  @Test func `Behind a proxy with TLS, requests of the page are accepted, and the cookie is Secure`() async throws {
    try await WebServing.run(token: WebServing.token, hosts: ["sign.example"], proxies: ["127.0.0.1"]) {
      web async throws in
      let proxied = ["host: sign.example", "x-forwarded-proto: https", "x-forwarded-for: 192.0.2.7"]
      let form = "content-type: application/x-www-form-urlencoded"
      let answer = try await web.request(
        "POST", "/login", proxied + ["origin: https://sign.example", form], body: "token=0123456789abcdef%2B%2F%3D")
      #expect(header("set-cookie", of: answer)?.hasSuffix("; Path=/; Secure") == true)
      let cookie = "cookie: \(try #require(header("set-cookie", of: answer)).prefix { $0 != ";" })"
      let put = proxied + ["origin: https://sign.example", cookie]
      #expect(try await web.status("PUT", "/v1/message", put, body: "{\"text\":\"a\"}") == 200)
      let plain = proxied + ["origin: http://sign.example", cookie]
      #expect(try await web.status("PUT", "/v1/message", plain, body: "{\"text\":\"a\"}") == 403)
    }
  }

  @Test func `Behind a proxy, each client has its own rate limit`() async throws {
    var limits = AccessLimits.patient
    (limits.requestsPerSecond, limits.requestsBurst) = (1, 1)
    try await WebServing.run(proxies: ["127.0.0.1"], limits: limits) { web async throws in
      for client in ["192.0.2.1", "192.0.2.2"] {
        var status = try await web.status("GET", "/v1/status", ["x-forwarded-for: \(client)"])
        #expect(status == 200)
        // On a busy machine, the rate limit recovers a little between two requests.
        for _ in 0..<50 where status == 200 {
          status = try await web.status("GET", "/v1/status", ["x-forwarded-for: \(client)"])
        }
        #expect(status == 429)
      }
    }
  }
}

@Suite struct RateLimiterTests {
  private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

  @Test func `A rate limit allows a burst, then a rate, for each address separately`() throws {
    var limiter = RateLimiter(rate: 2, burst: 3)
    let (one, other) = (try #require(IPAddress(parsing: "192.0.2.1")), try #require(IPAddress(parsing: "192.0.2.2")))
    let later = Self.start + .milliseconds(500)
    let moments = [
      (one, Self.start), (one, Self.start), (one, Self.start), (one, Self.start), (other, Self.start), (one, later),
      (one, later), (one, Self.start - .seconds(1)),
    ]
    let waits = moments.map { limiter.consume($0, at: $1) }
    #expect(waits == [nil, nil, nil, 1, nil, nil, 1, 1])
  }

  @Test func `Above the limit of addresses, the one that has been idle longest is removed`() throws {
    var limiter = RateLimiter(rate: 0.001, burst: 1, most: 8)
    let addresses = try (0..<9).map { try #require(IPAddress(parsing: "192.0.2.\($0)")) }
    for (place, address) in addresses.enumerated() {
      let wait = limiter.consume(address, at: Self.start + .milliseconds(Int64(place)))
      #expect(wait == nil)
    }
    #expect(limiter.wait(addresses[8], at: Self.start + .seconds(1)) != nil)
    #expect(limiter.wait(addresses[7], at: Self.start + .seconds(1)) != nil)
    #expect(limiter.wait(addresses[0], at: Self.start + .seconds(1)) == nil)
  }

  @Test func `Clients that fail continuously do not block a client that has had the correct token`() throws {
    var logins = Logins()
    let friend = try #require(IPAddress(parsing: "192.0.2.1"))
    logins.succeeded(friend)
    for place in 0..<60 {
      logins.failed(try #require(IPAddress(parsing: "198.51.100.\(place)")), at: Self.start)
    }
    #expect(logins.wait(try #require(IPAddress(parsing: "203.0.113.1")), at: Self.start) != nil)
    #expect(logins.wait(friend, at: Self.start) == nil)
  }

  @Test func `Above the limit of sessions, the one that was used least recently ends`() {
    var logins = Logins()
    let ids = (0...Logins.most).map { logins.open(at: Self.start + .seconds(Int64($0))) }
    #expect(Set(ids).count == ids.count && ids.allSatisfy { $0.utf8.count == 64 })
    let (first, second) = (logins.use([ids[0]], at: Self.start), logins.use(["x", ids[1]], at: Self.start))
    #expect(!first && second)
  }
}
