import ArgumentParser
import Control
import ControlClient

struct SleepCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "sleep",
    abstract: "Switches off one display or all, until placard wake.",
    usage: "placard sleep [<options>] [<display>]",
    discussion: """
      The monitor stays asleep if it is unplugged and plugged in again, on any port. Messages for it wait.

      Examples:
        placard sleep
        placard sleep HDMI-A-1
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The display's name, as placard displays lists it; by default all displays.", completion: .displays)
  var display: String?

  func run(on console: any Console) async throws(Failure) {
    try await service.set(asleep: true, display, on: console, output)
  }
}

struct WakeCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "wake",
    abstract: "Wakes one display or all.",
    usage: "placard wake [<options>] [<display>]",
    discussion: """
      Returns when the frame is on screen. Without a name, it also wakes unplugged monitors: they are enabled when \
      they return.

      Examples:
        placard wake
        placard wake HDMI-A-1
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The display's name, as placard displays lists it; by default all displays.", completion: .displays)
  var display: String?

  func run(on console: any Console) async throws(Failure) {
    try await service.set(asleep: false, display, on: console, output)
  }
}

extension ServiceOptions {
  fileprivate func set(
    asleep: Bool, _ display: String?, on console: any Console, _ output: OutputOptions
  ) async throws(Failure) {
    let request = SleepRequest(asleep: asleep, display: display)
    let reports = try await ask { client throws(ClientError) in try await client.setAsleep(request) }
    try console.report(reports, output) { DisplaysCommand.lines(reports, clock: .system(), $0) }
  }
}
