import ArgumentParser
import Control
import ControlClient

struct MoveCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Moves a session to another display; the session there ends.",
    usage: "placard move [<options>] <session> <display>",
    discussion: """
      Examples:
        placard move 3 DP-1
        placard move HDMI-A-1 DP-1
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The session's ID, as placard sessions lists it, or its display.", completion: .sessions)
  var session: String

  @Argument(help: "The display to move it to.", completion: .displays)
  var display: String

  func run(on console: any Console) async throws(Failure) {
    let id = try await SessionChoice(text: session).id(service)
    let report = try await service.ask { client throws(ClientError) in try await client.move(id, to: display) }
    try report.print(on: console, output, isAwaited: false)
  }
}

struct CloseCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: "Ends a session; its display then shows the content for all displays or for its role.",
    usage: "placard close [<options>] <session>",
    discussion: """
      Examples:
        placard close 3
        placard close HDMI-A-1
      """)

  @OptionGroup var service: ServiceOptions

  @Argument(help: "The session's ID, as placard sessions lists it, or its display.", completion: .sessions)
  var session: String

  func run(on console: any Console) async throws(Failure) {
    let id = try await SessionChoice(text: session).id(service)
    try await service.ask { client throws(ClientError) in try await client.close(id) }
  }
}

struct RefreshCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh",
    abstract: "Reloads a session's images and redraws it.",
    usage: "placard refresh [<options>] <session>",
    discussion: """
      Examples:
        placard refresh 3
        placard refresh HDMI-A-1
      """)

  @OptionGroup var service: ServiceOptions

  @Argument(help: "The session's ID, as placard sessions lists it, or its display.", completion: .sessions)
  var session: String

  func run(on console: any Console) async throws(Failure) {
    let id = try await SessionChoice(text: session).id(service)
    let report = try await service.ask { client throws(ClientError) in try await client.refresh(id) }
    try (report.delivery ?? Delivery()).print(on: console, isAwaited: false)
  }
}
