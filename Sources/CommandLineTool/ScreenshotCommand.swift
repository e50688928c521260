import ArgumentParser
import Control
import ControlClient

struct ScreenshotCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "screenshot",
    abstract: "Saves what a display shows now as a PNG.",
    usage: "placard screenshot [<options>] <display> <file>",
    discussion: """
      The picture is the frame as it is scanned out: where the settings turn it (rotate = 90), it is turned. With \
      --width it is a small one, as a JPEG where the file's name ends so.

      Examples:
        placard screenshot HDMI-A-1 now.png
        placard screenshot HDMI-A-1 small.jpg --width 480
        placard screenshot HDMI-A-1 - | display -
      """)

  @OptionGroup var service: ServiceOptions

  @Option(help: ArgumentHelp("At most so many pixels across, 16 to 1920.", valueName: "pixels"))
  var width: Int?

  @Argument(help: "The display's name, as placard displays lists it.", completion: .displays)
  var display: String

  @Argument(
    help: ArgumentHelp("The file to write; - is the standard output.", valueName: "file"),
    completion: .file(extensions: ["png", "jpg", "jpeg"]))
  var file: String

  func validate() throws {
    if let width, !PreviewRequest.widths.contains(width) { throw ValidationError("--width goes from 16 to 1920.") }
  }

  func run(on console: any Console) async throws(Failure) {
    let isJPEG = [".jpg", ".jpeg"].contains { file.lowercased().hasSuffix($0) }
    let picture = try await service.ask { client throws(ClientError) in
      guard let width else { return try await client.screenshot(display) }
      let request = PreviewRequest(width: width, format: isJPEG ? .jpeg : .png)
      return try await client.preview(display, request).bytes ?? []
    }
    if file == "-" { return try console.write(picture) }
    try FileBytes.write(picture, path: file)
  }
}
