import ArgumentParser
import Glibc
import SystemCalls

struct SetupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Connects this machine to other systems.",
    discussion: """
      Example:
        placard setup mqtt --broker broker.example
      """, subcommands: [SetupMQTTCommand.self])
}

struct SetupMQTTCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "mqtt",
    abstract: "Tests the connection to an MQTT broker, and writes the settings of placard-mqtt.",
    usage: "placard setup mqtt --broker <address> [<options>]",
    discussion: """
      `placard-mqtt setup --help` lists the options.

      Example:
        placard setup mqtt --broker broker.example --site berlin
      """)

  @Argument(parsing: .captureForPassthrough, help: "The options of placard-mqtt setup.")
  var options: [String] = []

  func run(on console: any Console) async throws(Failure) { try BridgeProcess.become("setup", options) }
}

struct FleetCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract: "Works with all boxes of an MQTT broker.",
    usage: "placard fleet list|show|desired|proof|watch --broker <address> [<options>]",
    discussion: """
      `placard-mqtt fleet --help` lists the commands and their options.

      Examples:
        placard fleet list --broker broker.example
        placard fleet show --broker broker.example tag:lobby "Closed today"
      """)

  @Argument(parsing: .captureForPassthrough, help: "The command of placard-mqtt fleet, and its options.")
  var words: [String] = []

  func run(on console: any Console) async throws(Failure) { try BridgeProcess.become("fleet", words) }
}

/// The program that carries out the commands for brokers. It has the libraries that this one does not link.
enum BridgeProcess {
  private static let name = "placard-mqtt"

  /// Replaces this process with the program; returns never, and throws if the program cannot be started.
  static func become(_ command: String, _ words: [String]) throws(Failure) {
    var line = unsafe ([name, command] + words).map { unsafe strdup($0) }
    unsafe line.append(nil)
    defer { unsafe line.forEach { unsafe free($0) } }
    var link = [CChar](repeating: 0, count: 4096)
    let length = unsafe max(readlink("/proc/self/exe", &link, link.count), 0)
    let path = String(decoding: link.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) }
    if let folder { unsafe execv(folder + name, &line) }
    unsafe execvp(name, &line)
    let error = errno
    guard error == ENOENT || error == ENOTDIR else {
      throw Failure(.refused, "\(name) cannot be started: \(ErrorNumber(error)).")
    }
    let place = folder ?? "the directory of placard"
    throw Failure(.refused, "\(name) is neither in \(place) nor in PATH: install it with scripts/install --mqtt.")
  }
}
