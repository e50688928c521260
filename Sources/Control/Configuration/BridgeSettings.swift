/// The settings of the MQTT bridge.
package struct BridgeSettings: Hashable, Sendable {
  /// The brokers, at least one. Several are the nodes of one cluster, of which the box uses any one.
  package var brokers: [BrokerAddress]
  /// The site, a level of the topics.
  package var site = "default"
  /// The name of the box, a level of the topics.
  package var node: String
  /// The groups to which the box belongs.
  package var tags: [String] = []
  /// The user name; nil for none.
  package var user: String?
  /// The path of the file with the password; nil for none.
  package var passwordFile: String?
  /// The path of the trusted authorities' certificates; nil for those of the system.
  package var authorities: String?
  /// The path of the client's certificate; nil for none.
  package var certificate: String?
  /// The path of the certificate's key; nil for none.
  package var key: String?
  /// Whether MQTT 5 is spoken; otherwise 3.1.1.
  package var isVersion5 = false
  /// The time without messages after which the box proves that it is alive, in seconds.
  package var keepalive = 60
  /// The quality of service (QoS) of the box's subscriptions. With 1, the broker keeps commands for the box while it is
  /// away; with 0, it keeps nothing for the box.
  package var qos = 1
  /// The maximum number of messages that wait for the broker.
  package var queueLimit = 10_000
  /// The first level of Home Assistant's discovery topics; nil to send no discovery messages.
  package var discovery: String?
  /// The path of the bridge's own state; nil to keep it in memory only.
  package var storage: String? = "/var/lib/placard-mqtt/outbox.sqlite"
  /// The path of the service's socket; nil for the usual one.
  package var socket: String?

  /// The default path of the file.
  package static let defaultPath = "/etc/placard/mqtt.toml"

  /// Reads the settings of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - hostName: The name of this machine, which is the default of `node`.
  /// - Throws: `ConfigurationError` if the file does not exist, cannot be read, or is invalid.
  /// - Returns: The settings.
  package static func read(_ path: String, hostName: String) throws(ConfigurationError) -> BridgeSettings {
    guard let bytes = try readFile(path) else {
      throw ConfigurationError(
        file: path, line: nil, reason: "the file does not exist; `placard setup mqtt --broker HOST` writes it")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(file: path, line: nil, reason: "the file is not UTF-8; save it as UTF-8 text")
    }
    return try parse(text, name: path, hostName: hostName)
  }

  /// Parses the settings of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - name: The name of the text in errors.
  ///   - hostName: The name of this machine, which is the default of `node`.
  /// - Throws: `ConfigurationError` if the text is invalid.
  /// - Returns: The settings.
  package static func parse(
    _ text: String, name: String, hostName: String
  ) throws(ConfigurationError) -> BridgeSettings {
    let root: TOMLTable
    do {
      root = try TOMLParser.parse(text)
    } catch {
      throw ConfigurationError(file: name, line: error.line, reason: error.reason)
    }
    return try TableReader(table: root, path: [], file: name).bridgeSettings(hostName: hostName)
  }

  /// Returns whether a text can be a level of a topic: a name of a site, a box or a tag.
  ///
  /// RabbitMQ and NATS separate the levels of their own topics with dots, so a name has none.
  ///
  /// - Parameter text: The text.
  /// - Returns: Whether it has 1 to 64 letters of ASCII, digits, `-` or `_`.
  package static func isName(_ text: some StringProtocol) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
      }
  }
}

extension TableReader {
  fileprivate func bridgeSettings(hostName: String) throws(ConfigurationError) -> BridgeSettings {
    try refuseUnknownKeys(except: [
      "broker", "site", "node", "tags", "user", "password_file", "authorities", "certificate", "key", "version",
      "keepalive", "qos", "queue", "state", "socket", "discovery",
    ])
    let brokers = try brokers()
    let name = "it must have 1 to 64 letters of ASCII, digits, \"-\" or \"_\""
    let valid = { (text: String) in BridgeSettings.isName(text) ? text : nil }
    let firstLabel = String(hostName.prefix { $0 != "." })
    guard let node = try value("node", name, valid) ?? valid(firstLabel) else {
      throw error(nil, "`node` is missing, and the host name \"\(hostName)\" cannot take its place: \(name)")
    }
    var settings = BridgeSettings(brokers: brokers, node: node)
    settings.site = try value("site", name, valid) ?? settings.site
    settings.tags = try words("tags") ?? []
    for tag in settings.tags where !BridgeSettings.isName(tag) { throw error("tags", "tags has \"\(tag)\": \(name)") }
    settings.user = try word("user")
    settings.passwordFile = try file("password_file")
    settings.authorities = try file("authorities")
    settings.certificate = try file("certificate")
    settings.key = try file("key")
    settings.isVersion5 =
      try value("version", "it must be \"3.1.1\" or \"5\"") { ["3.1.1": false, "5": true][$0] } ?? false
    settings.keepalive = try integer("keepalive", in: 60...65_535) ?? settings.keepalive
    settings.qos = try integer("qos", in: 0...1) ?? settings.qos
    settings.queueLimit = try integer("queue", in: 100...1_000_000) ?? settings.queueLimit
    settings.socket = try file("socket")
    settings.discovery = try value("discovery", "it must be one level of a topic, \"homeassistant\"", valid)
    let storage = "it must be the absolute path of a file, or \"none\" to keep nothing across restarts"
    switch try value("state", storage, Storage.init(parsing:)) {
    case .file(let path): settings.storage = path
    case .memory: settings.storage = nil
    case .usual, nil: break
    }
    try checkTogether(settings)
    return settings
  }

  /// Returns the addresses of `broker`: one, or those of a cluster's nodes.
  private func brokers() throws(ConfigurationError) -> [BrokerAddress] {
    let wanted = "it must be the broker's address: \"mqtt://HOST:1883\", or \"mqtts://HOST:8883\" with TLS"
    let texts: [String]
    if case .array = table.entries["broker"]?.value {
      texts = try words("broker") ?? []
    } else {
      texts = try string("broker").map { [$0] } ?? []
    }
    guard !texts.isEmpty else { throw error("broker", "`broker` is missing: \(wanted)") }
    return try texts.map { text throws(ConfigurationError) in
      guard let broker = BrokerAddress(parsing: text) else {
        throw error("broker", "broker = \"\(text)\": \(wanted)")
      }
      return broker
    }
  }

  /// Returns the absolute path of a file, or nil if the key is absent.
  private func file(_ key: String) throws(ConfigurationError) -> String? {
    try value(key, "it must be the absolute path of a file") { $0.hasPrefix("/") && !$0.utf8.contains(0) ? $0 : nil }
  }

  private func checkTogether(_ settings: BridgeSettings) throws(ConfigurationError) {
    if settings.passwordFile != nil, settings.user == nil {
      throw error("password_file", "password_file needs `user`: write the user's name")
    }
    if (settings.certificate == nil) != (settings.key == nil) {
      let key = settings.key == nil ? "certificate" : "key"
      throw error(key, "certificate and key need each other: write both, or leave both out")
    }
    for key in ["authorities", "certificate"] where has(key) && !settings.brokers.contains(where: \.isEncrypted) {
      throw error(key, "\(key) needs TLS: begin `broker` with mqtts://")
    }
  }
}

/// The address of a broker.
package struct BrokerAddress: Hashable, Sendable {
  /// The host name or IP address.
  package var host: String
  /// The port.
  package var port: Int
  /// Whether the connection is encrypted with TLS.
  package var isEncrypted: Bool

  /// Parses `mqtt://HOST`, `mqtts://HOST`, each with a port if it is not the usual one; nil for other texts.
  init?(parsing text: String) {
    let rest: Substring
    if text.hasPrefix("mqtts://") {
      isEncrypted = true
      rest = text.dropFirst(8)
    } else if text.hasPrefix("mqtt://") {
      isEncrypted = false
      rest = text.dropFirst(7)
    } else {
      return nil
    }
    let isBracketed = rest.hasPrefix("[")
    let end = isBracketed ? rest.firstIndex(of: "]") : rest.firstIndex(of: ":") ?? rest.endIndex
    guard let end else { return nil }
    host = String(isBracketed ? rest[..<end].dropFirst() : rest[..<end])
    let tail = isBracketed ? rest[end...].dropFirst() : rest[end...]
    if tail.isEmpty {
      port = isEncrypted ? 8883 : 1883
    } else if tail.hasPrefix(":"), let number = Int(tail.dropFirst()), (1...65_535).contains(number) {
      port = number
    } else {
      return nil
    }
    let isHost =
      !host.isEmpty && host.utf8.count <= 253
      && host.utf8.allSatisfy { byte in
        (0x21...0x7E).contains(byte) && !"/?#@[]".utf8.contains(byte)
      }
    guard isHost else { return nil }
  }
}
