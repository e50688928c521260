import Access

extension TableReader {
  /// Converts the table `[controller]`.
  func controller(_ facts: ValidationContext) throws(ConfigurationError) -> ControllerSettings {
    try refuseUnknownKeys(except: ["listen", "token_file", "hosts", "origins", "proxies", "address", "limits"])
    var settings = ControllerSettings()
    settings.listen = try value(
      "listen", "it must be an address and a port: \"127.0.0.1:8080\", \"[::1]:8080\" or \"*:8080\" for all addresses",
      ListenAddress.init(parsing:))
    settings.tokenFile = try value("token_file", "it must be the absolute path of a file") {
      $0.hasPrefix("/") && !$0.utf8.contains(0) ? $0 : nil
    }
    let name = "it must be a name without a port, \"sign.example\""
    settings.hosts = Set(
      try values("hosts", name) { text in
        Authority(parsing: text).flatMap { $0.port == nil ? $0.host : nil }
      })
    let origin = "it must be a scheme and a host without a path, \"https://sign.example\""
    settings.origins = Set(try values("origins", origin) { WebOrigin(parsing: $0) })
    let proxy = "it must be an address or a network, \"127.0.0.1\" or \"10.0.0.0/8\""
    settings.proxies = try values("proxies", proxy, AddressRange.init(parsing:))
    settings.address = try value("address", "it must begin with http:// or https://, \"https://sign.example/\"") {
      let isAddress = $0.hasPrefix("http://") || $0.hasPrefix("https://")
      return isAddress && $0.unicodeScalars.allSatisfy { ("!"..."~").contains($0) } && $0.utf8.count <= 200 ? $0 : nil
    }
    if let table = try table("limits") { settings.limits = try table.accessLimits() }
    try judge(settings, facts)
    return settings
  }

  /// Throws for an address on which the daemon cannot or must not listen.
  private func judge(_ settings: ControllerSettings, _ facts: ValidationContext) throws(ConfigurationError) {
    guard let listen = settings.listen, !facts.isListenReplaced else { return }
    let text = try string("listen") ?? listen.description
    if listen.port == 0 {
      throw error("listen", "\(name("listen")) = \"\(text)\": clients cannot know port 0; give a port, such as 8080")
    }
    let hasToken = facts.hasTokenFile || settings.tokenFile != nil
    if let refusal = listen.refusal(hasToken: hasToken, firstPort: facts.firstPort()) {
      throw error("listen", "\(name("listen")) = \"\(text)\": \(refusal)")
    }
  }

  /// Returns strings converted with `read`; none if the key is absent.
  private func values<Value>(
    _ key: String, _ wanted: String, _ read: (String) -> Value?
  ) throws(ConfigurationError) -> [Value] {
    try (try words(key) ?? []).map { text throws(ConfigurationError) in
      guard let value = read(text) else { throw error(key, "\(name(key)) has \"\(text)\": \(wanted)") }
      return value
    }
  }

  /// Converts the table `[controller.limits]`.
  private func accessLimits() throws(ConfigurationError) -> AccessLimits {
    try refuseUnknownKeys(except: AccessLimit.allCases.map(\.rawValue))
    var limits = AccessLimits()
    for limit in AccessLimit.allCases {
      let value =
        limit.isSize
        ? try byteCount(limit.rawValue, in: limit.range) : try integer(limit.rawValue, in: limit.range)
      if let value { limits[keyPath: limit.path] = value }
    }
    return limits
  }
}
