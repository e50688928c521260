import ArgumentParser
import Bridge
import Configuration
import Control
import Glibc
import MQTT
import SystemCalls

@main
struct PlacardMQTT: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "placard-mqtt",
    abstract: "Connects the service of this box to an MQTT broker.",
    discussion: """
      The service shows signs without it. Its settings are in /etc/placard/mqtt.toml, which `placard-mqtt setup` writes.

      Examples:
        placard-mqtt setup --broker broker.example
        placard-mqtt run --check
        systemctl enable --now placard-mqtt
      """, version: PlacardVersion.current, subcommands: [Run.self, Setup.self, Fleet.self], defaultSubcommand: Run.self
  )

  static func complain(_ line: String) { write("placard-mqtt: \(line)\n", to: STDERR_FILENO) }

  static func write(_ text: String, to descriptor: Int32) {
    try? Transfer.write(Array(text.utf8), to: descriptor)
  }

  static func hostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs until it is stopped; this is the default.",
    discussion: """
      Examples:
        placard-mqtt run
        placard-mqtt run --config lobby.toml --check
      """)

  @Option(help: "The file with the settings.", completion: .file())
  var config = BridgeSettings.defaultPath

  @Flag(help: "Check the settings only, and exit.")
  var check = false

  func run() throws {
    do {
      let settings = try BridgeSettings.read(config, hostName: PlacardMQTT.hostName())
      if check {
        let brokers = BridgeProgram.options(settings).map(\.address).joined(separator: ", ")
        print("\(config): box \(settings.site)/\(settings.node) at \(brokers)")
      } else {
        try BridgeProgram.run(settings) { PlacardMQTT.complain($0) }
      }
    } catch {
      PlacardMQTT.complain("error: \(error)")
      throw ExitCode(1)
    }
  }
}

/// The options that select a broker and the login.
struct BrokerOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The broker: a host, or mqtts://HOST with TLS.", valueName: "address"))
  var broker: String

  @Option(help: "The user name at the broker.")
  var user: String?

  @Option(help: "The file whose first line is the password.", completion: .file())
  var passwordFile: String?

  @Option(help: "The certificates of trusted authorities (default: those of the system).", completion: .file())
  var authorities: String?

  @Option(help: "The certificate of this client.", completion: .file())
  var certificate: String?

  @Option(help: "The key of the certificate.", completion: .file())
  var key: String?

  /// The values by the keys of the settings.
  var texts: [String: String] {
    [
      "broker": BridgeSetup.address(broker), "user": user, "password_file": passwordFile, "authorities": authorities,
      "certificate": certificate, "key": key,
    ].compactMapValues(\.self)
  }
}

struct Setup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tests the connection to a broker, and writes the settings.",
    discussion: """
      If the broker refuses the connection, nothing is written and the reason is printed.

      Examples:
        placard-mqtt setup --broker broker.example --site berlin --tag lobby
        placard-mqtt setup --broker mqtts://broker.example --user lobby --password-file /etc/placard/mqtt.password
        placard-mqtt setup --broker 192.0.2.7 --home-assistant
      """)

  @OptionGroup var login: BrokerOptions

  @Option(help: "The site, a level of the topics (default: default).")
  var site: String?

  @Option(help: "The name of this box (default: the host name).")
  var node: String?

  @Option(name: .customLong("tag"), help: "A group to which the box belongs; may be repeated.")
  var tags: [String] = []

  @Flag(help: "Let the monitors appear in Home Assistant.")
  var homeAssistant = false

  @Option(help: "The file to write.", completion: .file())
  var config = BridgeSettings.defaultPath

  @Option(help: "The service's socket, if it is not the usual one.", completion: .file())
  var socket: String?

  @Flag(help: "Test and print the settings, and write nothing.")
  var dryRun = false

  func run() throws {
    var choices = BridgeSetup.Choices()
    let own = [
      "site": site, "node": node, "socket": socket, "discovery": homeAssistant ? "homeassistant" : nil,
    ].compactMapValues(\.self)
    choices.texts = login.texts.merging(own) { _, own in own }
    choices.tags = tags
    do {
      let settings = try BridgeSettings.parse(choices.file, name: config, hostName: PlacardMQTT.hostName())
      for options in BridgeProgram.options(settings) {
        try BridgeSetup.test(options, settings)
        print("connected to \(options.address)")
      }
      if dryRun { return print(choices.file, terminator: "") }
      try BridgeSetup.write(choices.file, to: config)
      print("wrote \(config)")
      print("The topics of this box begin with placard/\(settings.site)/\(settings.node)/.")
      if homeAssistant { print("Its monitors appear in Home Assistant as soon as placard-mqtt runs.") }
      print("To start it, now and at every boot: systemctl enable --now placard-mqtt")
    } catch {
      PlacardMQTT.complain("error: \(error)")
      throw ExitCode(1)
    }
  }
}
