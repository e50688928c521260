import ArgumentParser
import Control
import ControlClient

struct ScreenshotCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "screenshot",
    abstract: "Saves what a display shows now as a PNG.",
    discussion: """
      The picture is the frame as it is scanned out: where the settings turn it (rotate = 90), it is turned.

      Examples:
        placard screenshot HDMI-A-1 now.png
        placard screenshot HDMI-A-1 - | display -
      """)

  @OptionGroup var service: ServiceOptions

  @Argument(help: "The display's name, as placard displays lists it.")
  var display: String

  @Argument(help: ArgumentHelp("The file to write; - is the standard output.", valueName: "file"))
  var file: String

  func run(on console: any Console) async throws(Failure) {
    let picture = try await service.ask { client throws(ClientError) in try await client.screenshot(display) }
    if file == "-" { return try console.write(picture) }
    try FileBytes.write(picture, path: file)
  }
}
