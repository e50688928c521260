public import ArgumentParser
public import Configuration
import Displays
import Glibc
import Service

/// Lights monitors and puts messages on them.
@main
struct Placardd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "placardd",
    abstract: "Lights every monitor that is plugged in, and puts messages on them.",
    discussion: """
      It runs until SIGTERM. SIGHUP makes it read its configuration again. Messages come through `placard show`.

      Examples:
        placardd                               real monitors if there are any, else a virtual one
        placardd --backend virtual             a virtual monitor of 1920x1080
        placardd --policy native --message Hi  monitors in their own mode, with a first message
      """,
    version: Service.version)

  @Option(
    name: .long, help: ArgumentHelp("The configuration file (default: /etc/placard/placard.toml).", valueName: "file"))
  var config: String?

  @Option(name: .long, help: ArgumentHelp("The control socket.", valueName: "path"))
  var socket: String?

  @Option(name: .long, help: "Which displays to drive: auto, kms or virtual.")
  var backend: Backend?

  @Option(
    name: .long, help: "How modes are chosen: legible, native, halve-above-1080p, or a mode like 1920x1080@60.",
    transform: policy(parsing:))
  var policy: ModePolicy?

  @Option(name: .long, help: ArgumentHelp("The message at start.", valueName: "text"))
  var message: String?

  @Flag(name: .long, help: "Use the legacy calls (SetCrtc, PageFlip) even where the driver has atomic modesetting.")
  var noAtomic = false

  @Option(name: .long, help: "How much is logged: trace, debug, info, notice, warning, error or critical.")
  var log: LogLevel?

  private static func policy(parsing text: String) throws -> ModePolicy {
    if let policy = ModePolicy(parsing: text) { return policy }
    throw ValidationError("'\(text)' is no policy: legible, native, halve-above-1080p, or a mode like 1920x1080@60.")
  }

  mutating func run() throws {
    let options = ServiceOptions(
      configuration: config, socket: socket, backend: backend, policy: policy, message: message,
      isAtomicAllowed: !noAtomic, logLevel: log)
    let status = Service.run(options)
    if status != 0 { throw ExitCode(status) }
  }
}

extension Backend: ExpressibleByArgument {}
extension LogLevel: ExpressibleByArgument {}
