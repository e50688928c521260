import ArgumentParser
import Bridge
import Configuration
import Control
import Glibc
import MQTT

@main
struct PlacardMQTT: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "placard-mqtt",
    abstract: "Connects the service of this box to an MQTT broker.",
    discussion: """
      The service shows signs without it. Settings are in /etc/placard/mqtt.toml; without other lines, \
      broker = "mqtt://HOST:1883" is enough.

      Examples:
        placard-mqtt
        placard-mqtt --config lobby.toml --check
      """, version: PlacardVersion.current)

  @Option(help: "The file with the settings.", completion: .file())
  var config = BridgeSettings.defaultPath

  @Flag(help: "Check the settings only, and exit.")
  var check = false

  func run() throws {
    do {
      let settings = try BridgeSettings.read(config, hostName: Self.hostName())
      if check {
        _ = try BridgeProgram.options(settings)
        print("\(config): box \(settings.site)/\(settings.node) at \(try BridgeProgram.options(settings).address)")
      } else {
        try BridgeProgram.run(settings, console: Self.complain)
      }
    } catch {
      Self.complain("error: \(error)")
      throw ExitCode(1)
    }
  }

  @Sendable private static func complain(_ line: String) {
    let bytes = Array("placard-mqtt: \(line)\n".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static func hostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
