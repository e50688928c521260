import Access
import Configuration
import Testing

struct ControllerSettingsTests {
  private func parse(_ text: String) throws -> ControllerSettings {
    try SettingsFile.parse(text, name: "placard.toml").controller
  }

  @Test func `By default the socket is the only listener`() throws {
    #expect(try parse("").listen == nil)
    #expect(try parse("[controller]\n") == ControllerSettings())
  }

  @Test func `Each key sets what it names`() throws {
    let settings = try parse(
      """
      [controller]
      listen = "[::1]:8080"
      token_file = "/etc/placard/token"
      hosts = ["Sign.Example", "192.0.2.1"]
      origins = ["https://app.example:8443"]
      proxies = ["127.0.0.1", "10.0.0.0/8"]
      address = "https://sign.example/"
      [controller.limits]
      body = "2 MiB"
      connections_per_address = 7
      """)
    var limits = AccessLimits()
    (limits.body, limits.connectionsPerAddress) = (2 << 20, 7)
    let expected = ControllerSettings(
      listen: ListenAddress(parsing: "[::1]:8080"), tokenFile: "/etc/placard/token",
      hosts: ["sign.example", "192.0.2.1"],
      origins: Set([WebOrigin(parsing: "https://app.example:8443")].compactMap(\.self)),
      proxies: ["127.0.0.1", "10.0.0.0/8"].compactMap { AddressRange(parsing: $0) }, address: "https://sign.example/",
      limits: limits)
    #expect(settings == expected)
  }

  @Test(arguments: AccessLimit.allCases)
  func `Each limit is set by its name within a range that contains the default`(limit: AccessLimit) throws {
    #expect(limit.range.contains(AccessLimits()[keyPath: limit.path]))
    func text(_ value: Int) -> String { limit.isSize ? "'\(value) B'" : "\(value)" }
    for value in [limit.range.lowerBound, limit.range.upperBound] {
      let limits = try parse("[controller.limits]\n\(limit.rawValue) = \(text(value))").limits
      #expect(limits[keyPath: limit.path] == value)
    }
    for value in [limit.range.lowerBound - 1, limit.range.upperBound + 1] {
      #expect(throws: ConfigurationError.self) { try parse("[controller.limits]\n\(limit.rawValue) = \(text(value))") }
    }
  }

  @Test func `A public address is accepted with a token file or a replacement on the command line`() throws {
    let text = "[controller]\nlisten = '*:8090'\n"
    let facts = [ValidationContext(hasTokenFile: true), ValidationContext(isListenReplaced: true)]
    for facts in facts { #expect(throws: Never.self) { try SettingsFile.parse(text, name: "a", facts: facts) } }
    #expect(throws: Never.self) { try parse(text + "token_file = '/etc/placard/token'") }
  }

  @Test func `A privileged port is rejected with its line, the value and the next step`() throws {
    let text = "[controller]\nlisten = '127.0.0.1:80'"
    #expect(throws: Never.self) {
      try SettingsFile.parse(text, name: "a.toml", facts: ValidationContext(firstPort: 80))
    }
    let error = #expect(throws: ConfigurationError.self) {
      try SettingsFile.parse(text, name: "a.toml", facts: ValidationContext(firstPort: 1024))
    }
    #expect(
      error?.description.hasPrefix(
        "a.toml:2: controller.listen = \"127.0.0.1:80\": the process can listen only on ports from 1024: choose")
        == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    Refusal("[controller]\nlisten = 'sign.example:80'", line: 2, "controller.listen", "127.0.0.1:8080"),
    Refusal(
      "[controller]\nlisten = '0.0.0.0:8090'", line: 2, "controller.listen = \"0.0.0.0:8090\"", "token_file"),
    Refusal("\n[controller]\nlisten = '*:8090'", line: 3, "controller.listen = \"*:8090\"", "token_file"),
    Refusal("[controller]\nlisten = '[::]:8090'", line: 2, "controller.listen = \"[::]:8090\"", "token_file"),
    Refusal("[controller]\nlisten = '192.0.2.1:8090'", line: 2, "every host that can reach 192.0.2.1:8090"),
    Refusal("[controller]\nlisten = '127.0.0.1:0'", line: 2, "controller.listen = \"127.0.0.1:0\"", "give a port"),
    Refusal("[controller.limits]\nbody = 1048576", line: 2, "controller.limits.body = 1048576", "\"32 MiB\""),
    Refusal("[controller]\nlisten = 8080", line: 2, "controller.listen must be a string"),
    Refusal("[controller]\ntoken_file = 'token'", line: 2, "controller.token_file", "absolute path"),
    Refusal("[controller]\n\nhosts = ['a:80']", line: 3, "controller.hosts has \"a:80\"", "without a port"),
    Refusal("[controller]\nhosts = 'a'", line: 2, "controller.hosts must be an array"),
    Refusal("[controller]\norigins = ['*']", line: 2, "controller.origins has \"*\"", "https://sign.example"),
    Refusal("[controller]\norigins = ['https://a/b']", line: 2, "without a path"),
    Refusal("[controller]\nproxies = ['proxy']", line: 2, "controller.proxies has \"proxy\"", "10.0.0.0/8"),
    Refusal("[controller]\naddress = 'sign.example'", line: 2, "controller.address", "http:// or https://"),
    Refusal("[controller]\ntoken = 'secret'", line: 2, "\"controller.token\"", "the known keys are listen, token_file"),
    Refusal("[controller.limits]\nbodys = 1", line: 2, "\"controller.limits.bodys\"", "\"body\"?"),
    Refusal("[controller.limits]\nhead = '1 MiB'", line: 2, "controller.limits.head", "65536"),
  ])
  func `An invalid value is rejected with its line and the accepted values`(refusal: Refusal) {
    do throws(ConfigurationError) {
      _ = try SettingsFile.parse(refusal.text, name: "placard.toml")
      Issue.record("the file was accepted")
    } catch {
      #expect(error.line == refusal.line)
      for word in refusal.words { #expect(error.description.contains(word), "\(error)") }
    }
  }
}
