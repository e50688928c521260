import Access
import Control
import FakeServiceSupport
import JSON
import NIOCore
import NIOEmbedded
import Testing

@testable import ControlHTTP

@Suite struct TimeLimitTests {
  private static let status = "GET /v1/status HTTP/1.1\r\nhost: x\r\n\r\n"

  @Test func `A slow head is disconnected after ten seconds, even if bytes keep arriving`() throws {
    let wire = Wire()
    let channel = try wire.connect()
    for letter in "GET /v1/st" {
      try wire.send(String(letter), on: channel)
      #expect(channel.isActive)
      wire.wait(1)
    }
    #expect(try wire.received(channel).hasPrefix("HTTP/1.1 408 ") && !channel.isActive)
    #expect(wire.rejections.counts == ["head_seconds": 1])
  }

  @Test func `A connection without a byte is closed after ten seconds`() throws {
    let wire = Wire()
    let channel = try wire.connect()
    wire.wait(9)
    #expect(channel.isActive)
    wire.wait(1)
    #expect(!channel.isActive)
  }

  @Test func `A slow body is disconnected after thirty seconds`() throws {
    let wire = Wire()
    let channel = try wire.connect()
    try wire.send("PUT /v1/message HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n", on: channel)
    for _ in 0..<30 {
      #expect(channel.isActive)
      wire.wait(1)
      if channel.isActive { try wire.send("{", on: channel) }
    }
    #expect(try wire.received(channel).hasPrefix("HTTP/1.1 408 ") && !channel.isActive)
    #expect(wire.rejections.counts == ["body_seconds": 1] && wire.service.requests.isEmpty)
  }

  @Test func `A long body that arrives fast enough may take longer`() throws {
    var limits = AccessLimits()
    limits.bodyRate = 10
    let wire = Wire(limits: limits)
    let channel = try wire.connect()
    try wire.send("PUT /v1/message HTTP/1.1\r\nhost: x\r\ncontent-length: 412\r\n\r\n{\"text\":\"", on: channel)
    for _ in 0..<40 {
      wire.wait(1)
      try wire.send("0123456789", on: channel)
    }
    try wire.send("a\"}", on: channel)
    #expect(try wire.received(channel).hasPrefix("HTTP/1.1 200 ") && channel.isActive)
  }

  @Test func `A connection is kept open for 75 seconds, and a head that begins then has ten seconds`() throws {
    let wire = Wire()
    let (first, second) = (try wire.connect(), try wire.connect())
    for channel in [first, second] {
      try wire.send(Self.status, on: channel)
      #expect(try wire.received(channel).hasPrefix("HTTP/1.1 200 "))
    }
    wire.wait(74)
    try wire.send("G", on: second)
    wire.wait(1)
    #expect(!first.isActive && second.isActive)
    wire.wait(8)
    try wire.send(String(Self.status.dropFirst()), on: second)
    #expect(try wire.received(second).hasPrefix("HTTP/1.1 200 "))
    wire.wait(75)
    #expect(!second.isActive && wire.rejections.counts == ["idle_seconds": 2])
    #expect(wire.lines.all.isEmpty)
  }

  @Test func `A client that reads nothing of its response is disconnected after thirty seconds`() throws {
    let wire = Wire()
    let channel = try wire.connect()
    let dam = Dam()
    try channel.pipeline.syncOperations.addHandler(dam, position: .first)
    try wire.send(Self.status, on: channel)
    wire.wait(29)
    #expect(channel.isActive)
    dam.takeOne()
    wire.wait(29)
    #expect(channel.isActive)
    wire.wait(1)
    #expect(!channel.isActive && wire.rejections.counts == ["stalled_seconds": 1])
  }

  /// A client that requests a page of 256 KB and reads a part of it at regular intervals, until it has read all or is
  /// disconnected.
  private func read(every seconds: Int64, _ wire: Wire, takes: Int = 8) throws -> EmbeddedChannel {
    let text = String(repeating: "a", count: 4000)
    wire.service.messagesToList = (1...40).map { id in
      LiveMessage(
        id: id, text: text, scene: [:], kind: "banner", summary: "", target: "all", created: .init(milliseconds: 0),
        changed: .init(milliseconds: 0))
    }
    let channel = try wire.connect()
    let dam = Dam()
    try channel.pipeline.syncOperations.addHandler(dam, position: .first)
    try wire.send("GET /v1/messages HTTP/1.1\r\nhost: x\r\n\r\n", on: channel)
    wire.letPagesBeMade()
    for _ in 0..<takes where channel.isActive {
      wire.wait(seconds)
      if channel.isActive { dam.takeOne() }
    }
    return channel
  }

  @Test func `A client that reads its response too slowly is disconnected, and a faster one is not`() throws {
    var limits = AccessLimits()
    limits.answerSeconds = 20
    let slow = Wire(limits: limits)
    #expect(try !read(every: 15, slow).isActive)
    #expect(slow.rejections.counts == ["answer_rate": 1])
    let fast = Wire(limits: limits)
    #expect(try read(every: 4, fast).isActive)
    #expect(fast.rejections.counts.isEmpty)
  }

  @Test func `Above the limit of unread responses, the oldest connection is closed and the newest is not`() throws {
    var limits = AccessLimits()
    limits.answers = 400_000
    let wire = Wire(limits: limits)
    let channels = try (0..<3).map { _ in
      wire.wait(1)
      return try read(every: 0, wire, takes: 0)
    }
    #expect(channels.map(\.isActive) == [false, true, true])
    #expect(wire.rejections.counts == ["answers": 1])
  }

  @Test func `An event stream may stay open forever, but is closed if the client does not read`() throws {
    var limits = AccessLimits()
    limits.eventBytes = 1024
    let wire = Wire(limits: limits)
    let channel = try wire.connect()
    try wire.send("GET /v1/events HTTP/1.1\r\nhost: x\r\n\r\n", on: channel)
    #expect(try wire.received(channel).hasPrefix("HTTP/1.1 200 "))
    wire.wait(100_000)
    #expect(channel.isActive && wire.rejections.counts.isEmpty)
    try channel.pipeline.syncOperations.addHandler(Dam(), position: .first)
    for id in 1...100 {
      wire.service.readers.send(ControlEvent(id: UInt64(id), kind: .dark, display: "HDMI-A-1", time: 1))
      wire.loop.advanceTime(by: .milliseconds(20))
    }
    #expect(!channel.isActive && wire.rejections.counts == ["event_bytes": 1])
  }

  @Test func `The total size of all bodies is limited, and is released after each request`() throws {
    var limits = AccessLimits()
    limits.bodies = 20
    let wire = Wire(limits: limits)
    let head = "PUT /v1/message HTTP/1.1\r\nhost: x\r\ncontent-length: 12\r\n\r\n"
    let (first, second) = (try wire.connect(), try wire.connect())
    try wire.send(head + "{\"text\":\"a", on: first)
    try wire.send(head + "{\"text\":\"b\"", on: second)
    #expect(try wire.received(second).hasPrefix("HTTP/1.1 503 "))
    try wire.send("\"}", on: first)
    #expect(try wire.received(first).hasPrefix("HTTP/1.1 200 "))
    let (third, fourth) = (try wire.connect(), try wire.connect())
    try wire.send(head + "{\"text\":\"c", on: third)
    third.close(promise: nil)
    wire.loop.run()
    try wire.send(head + "{\"text\":\"d\"}", on: fourth)
    #expect(try wire.received(fourth).hasPrefix("HTTP/1.1 200 "))
    #expect(wire.rejections.counts == ["bodies": 1])
  }
}

@Suite struct ConnectionLimitTests {
  private static let status = "GET /v1/status HTTP/1.1\r\nhost: localhost\r\n\r\n"

  private func status(_ wire: Wire, _ channel: EmbeddedChannel) throws -> String {
    try wire.send(Self.status, on: channel)
    return String(try wire.received(channel).dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  @Test
  func `Connections are limited for each IPv4 address and each IPv6 network, but not for proxies`()
    throws
  {
    var limits = AccessLimits()
    limits.connectionsPerAddress = 1
    let proxies = [try #require(AddressRange(parsing: "192.0.2.9"))]
    let wire = Wire(limits: limits, rules: AccessRules(proxies: proxies))
    for (address, answers) in [
      ("192.0.2.1", ["200", "503"]), ("192.0.2.2", ["200"]), ("2001:db8::1", ["200"]), ("2001:db8::2", ["503"]),
      ("192.0.2.9", ["200", "200"]),
    ] {
      for answer in answers { #expect(try status(wire, wire.connect(from: address)) == answer, "\(address)") }
    }
    #expect(wire.rejections.counts == ["connections_per_address": 2])
    for _ in 0..<3 { #expect(try status(wire, wire.connect()) == "200") }
  }

  @Test func `The connections of one user are limited, and other users can connect`() throws {
    var limits = AccessLimits()
    limits.connectionsPerUser = 2
    let wire = Wire(limits: limits)
    func connect(_ user: UInt32) throws -> EmbeddedChannel {
      let channel = EmbeddedChannel(loop: wire.loop)
      channel.connect(to: try SocketAddress(unixDomainSocketPath: "/s"), promise: nil)
      try wire.clients.add(channel, .local(LocalClient(process: 1, user: user, group: user)), by: .socket)
      wire.loop.run()
      return channel
    }
    let flood = try (0..<40).map { _ in try connect(1000) }
    #expect(flood.count(where: \.isActive) == 34, "32 connections get a response")
    #expect(try status(wire, flood[1]) == "200")
    #expect(try status(wire, flood[2]) == "503")
    for user in [0, 1001] as [UInt32] { #expect(try status(wire, connect(user)) == "200", "user \(user)") }
    #expect(wire.rejections.counts == ["connections_per_user": 38])
    flood[0].close(promise: nil)
    wire.loop.run()
    #expect(try status(wire, connect(1000)) == "200")
  }

  @Test(
    "The machine's name is accepted with and without its domain, and with .local (mDNS)",
    arguments: ["box", "box.example", "box.local", "BOX"])
  func names(host: String) throws {
    let wire = Wire()
    let channel = try wire.connect(from: "192.0.2.1")
    try wire.send("GET /v1/status HTTP/1.1\r\nhost: \(host)\r\n\r\n", on: channel)
    #expect(try wire.received(channel).hasPrefix("HTTP/1.1 200 "))
  }

  @Test func `Closed connections free their share of the limit`() throws {
    var limits = AccessLimits()
    limits.connectionsPerAddress = 1
    let wire = Wire(limits: limits)
    for _ in 0..<5 {
      let channel = try wire.connect(from: "192.0.2.1")
      #expect(try status(wire, channel) == "200")
      channel.close(promise: nil)
      wire.loop.run()
    }
    #expect(wire.rejections.counts.isEmpty)
  }

  @Test func `A flood over TCP does not affect the Unix socket, and soon gets no responses`() throws {
    var limits = AccessLimits()
    limits.connections = 2
    let wire = Wire(limits: limits)
    let channels = try (0..<40).map { try wire.connect(from: "192.0.2.\($0)") }
    #expect(channels.count(where: \.isActive) == 34)
    #expect(try status(wire, channels[2]) == "503")
    #expect(try status(wire, wire.connect()) == "200")
    #expect(wire.rejections.counts == ["connections": 38])
  }

  @Test func `Rejections are logged once a minute and always counted`() throws {
    var limits = AccessLimits()
    (limits.requestsPerSecond, limits.requestsBurst) = (1, 1)
    let wire = Wire(limits: limits)
    let channel = try wire.connect(from: "192.0.2.1")
    for _ in 0..<4 { _ = try status(wire, channel) }
    let logged = wire.lines.all.filter { $0.contains("requests_per_second") }
    #expect(
      logged == [
        "notice: the limit requests_per_second rejected 192.0.2.1, number 1 since the start; [controller.limits] can raise it"
      ])
    wire.wait(60)
    for _ in 0..<3 { _ = try status(wire, channel) }
    #expect(wire.lines.all.count { $0.contains("requests_per_second") } == 2)
    #expect(wire.rejections.counts == ["requests_per_second": 5])
  }

  @Test func `The health report has the rejections`() throws {
    let wire = Wire()
    wire.rejections.countWithoutLogging(.idleSeconds)
    let channel = try wire.connect()
    try wire.send("GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n", on: channel)
    #expect(try wire.received(channel).contains("\"idle_seconds\":1"))
  }

  @Test func `A wrong token is counted and logged, without the token`() throws {
    let wire = Wire(rules: AccessRules(token: Token(Array("0123456789abcdef".utf8))))
    let channel = try wire.connect(from: "192.0.2.1")
    try wire.send(
      "GET /v1/status HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer 0123456789abcdeX\r\n\r\n", on: channel)
    #expect(try wire.received(channel).hasPrefix("HTTP/1.1 401 "))
    #expect(wire.rejections.counts == ["wrong_tokens": 1])
    #expect(wire.lines.all == ["notice: 192.0.2.1 sent a wrong token, number 1 since the start"])
  }

  @Test func `The first change by a client is logged as info, and every change as debug`() throws {
    let wire = Wire()
    let channel = try wire.connect(from: "192.0.2.1")
    let put =
      "PUT /v1/message HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 12\r\n\r\n{\"text\":\"a\"}"
    for _ in 0..<2 { try wire.send(put, on: channel) }
    try wire.send(Self.status, on: channel)
    #expect(
      wire.lines.all == [
        "info: 192.0.2.1 changes something for the first time, over TCP", "debug: PUT /v1/message by 192.0.2.1",
        "debug: PUT /v1/message by 192.0.2.1",
      ])
  }
}
