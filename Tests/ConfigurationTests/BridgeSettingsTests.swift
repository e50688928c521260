import Testing

@testable import Configuration

/// The settings of the MQTT bridge.
struct BridgeSettingsTests {
  private static let keys = [
    "broker", "site", "node", "tags", "user", "password_file", "authorities", "certificate", "key", "version",
    "keepalive", "qos", "queue", "state", "socket", "discovery",
  ]

  @Test func `One line is enough, and the other settings have defaults`() throws {
    let settings = try BridgeSettings.parse("broker = \"mqtt://broker.example\"", name: "x", hostName: "lobby")
    let broker = try #require(settings.brokers.first)
    #expect((broker.host, broker.port, broker.isEncrypted) == ("broker.example", 1883, false))
    #expect(settings.brokers.count == 1)
    #expect((settings.site, settings.node, settings.tags) == ("default", "lobby", []))
    #expect((settings.keepalive, settings.queueLimit, settings.isVersion5) == (60, 10_000, false))
    #expect(settings.qos == 1)
    #expect(settings.storage == "/var/lib/placard-mqtt/outbox.sqlite")
  }

  @Test(arguments: [
    ("mqtt://192.0.2.7", "192.0.2.7", 1883, false), ("mqtts://broker.example", "broker.example", 8883, true),
    ("mqtts://broker.example:443", "broker.example", 443, true),
    ("mqtt://[2001:db8::1]:1884", "2001:db8::1", 1884, false),
  ])
  func `An address has a host, a port and perhaps TLS`(text: String, host: String, port: Int, isEncrypted: Bool) throws
  {
    let settings = try BridgeSettings.parse("broker = \"\(text)\"", name: "x", hostName: "lobby")
    let broker = try #require(settings.brokers.first)
    #expect((broker.host, broker.port, broker.isEncrypted) == (host, port, isEncrypted))
  }

  @Test(arguments: [
    "broker.example", "http://broker.example", "mqtt://", "mqtt://:1883", "mqtt://a b", "mqtt://x:0", "mqtt://x:65536",
    "mqtt://user@x", "mqtt://x/path", "mqtt://[::1", "mqtt://::1",
  ])
  func `Another address is refused with the form that it must have`(text: String) {
    let error = #expect(throws: ConfigurationError.self) {
      try BridgeSettings.parse("broker = \"\(text)\"", name: "mqtt.toml", hostName: "lobby")
    }
    #expect(error?.line == 1 && error?.reason.contains("mqtt://HOST:1883") == true, "\(text)")
  }

  @Test func `A cluster has an address for each node`() throws {
    let text = "broker = [\"mqtt://a\", \"mqtts://b:1884\"]\nauthorities = \"/ca.pem\""
    let settings = try BridgeSettings.parse(text, name: "x", hostName: "lobby.example")
    #expect(settings.brokers.map(\.host) == ["a", "b"] && settings.brokers.map(\.port) == [1883, 1884])
    #expect(settings.node == "lobby")
    for wrong in ["[]", "[\"mqtt://a\", \"b\"]", "[1]"] {
      #expect(throws: ConfigurationError.self, "\(wrong)") {
        try BridgeSettings.parse("broker = \(wrong)", name: "x", hostName: "lobby")
      }
    }
  }

  @Test(arguments: ["", "+", "#", "a/b", "a b", "a.b", "é", String(repeating: "x", count: 65)])
  func `A name with a wildcard, a slash or another character that topics cannot have is refused`(name: String) {
    for key in ["site", "node"] {
      let error = #expect(throws: ConfigurationError.self) {
        try BridgeSettings.parse("broker = \"mqtt://x\"\n\(key) = \"\(name)\"", name: "mqtt.toml", hostName: "lobby")
      }
      #expect(error?.line == 2)
    }
    #expect(throws: ConfigurationError.self) {
      try BridgeSettings.parse("broker = \"mqtt://x\"\ntags = [\"\(name)\"]", name: "mqtt.toml", hostName: "lobby")
    }
  }

  @Test func `A host name that topics cannot have needs another name`() {
    let error = #expect(throws: ConfigurationError.self) {
      try BridgeSettings.parse("broker = \"mqtt://x\"", name: "mqtt.toml", hostName: "")
    }
    #expect(error?.reason.contains("`node` is missing") == true)
  }

  @Test func `The example file has every key, shows the defaults, and is valid`() throws {
    let lines = try text(of: repository("scripts/mqtt.toml")).split(separator: "\n")
    let settings = lines.filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }.map { $0.dropFirst() }
    let named = settings.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(Set(named) == Set(Self.keys))
    // Only the second of the two addresses.
    let all = settings.filter { !$0.hasPrefix("broker = \"mqtt://") }.joined(separator: "\n")
    let parsed = try BridgeSettings.parse(all, name: "mqtt.toml", hostName: "host")
    let plain = try BridgeSettings.parse("broker = \"mqtts://broker.example\"", name: "x", hostName: "lobby")
    #expect((parsed.site, parsed.keepalive, parsed.queueLimit) == (plain.site, plain.keepalive, plain.queueLimit))
    #expect(parsed.qos == plain.qos)
    #expect((parsed.storage, parsed.isVersion5, parsed.node) == (plain.storage, plain.isVersion5, plain.node))
  }

  @Test func `The documentation has every key`() throws {
    let page = try text(of: repository("Sources/Documentation.docc/MQTT.md"))
    for key in Self.keys { #expect(page.contains("`\(key)`"), "\(key)") }
    let error = #expect(throws: ConfigurationError.self) {
      try BridgeSettings.parse("brocken = 1", name: "mqtt.toml", hostName: "lobby")
    }
    #expect(error?.reason.contains("\"broker\"") == true)
  }
}
