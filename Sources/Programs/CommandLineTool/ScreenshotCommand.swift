import ArgumentParser
import Control
import ControlClient

struct ScreenshotCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "screenshot",
    abstract: "Saves the frame that a display shows as a PNG or JPEG file.",
    usage: "placard screenshot [<options>] <display> <file>",
    discussion: """
      A file name that ends in .jpg or .jpeg gets a JPEG, one that ends in .png or has no extension a PNG. The frame is \
      upright. \
      With --as-scanned-out it keeps the rotation of the configuration (rotate = 90).

      Examples:
        placard screenshot HDMI-A-1 now.png
        placard screenshot HDMI-A-1 small.jpg --width 480
        placard screenshot HDMI-A-1 - | display -
      """)

  @OptionGroup var service: ServiceOptions

  @Option(help: ArgumentHelp("The maximum width in pixels, 16 to 1920.", valueName: "pixels"))
  var width: Int?

  @Flag(help: "Keep the rotation in which the frame is scanned out.")
  var asScannedOut = false

  @Argument(help: "The display's name, as placard displays lists it.", completion: .displays)
  var display: String

  @Argument(
    help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"),
    completion: .file(extensions: ["png", "jpg", "jpeg"]))
  var file: String

  /// The format that the file's name asks for; nil if its extension is of neither.
  private var format: PreviewRequest.Format? {
    let name = file.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return .png }
    return switch name[dot...].lowercased() {
    case ".png": .png
    case ".jpg", ".jpeg": .jpeg
    default: nil
    }
  }

  func validate() throws {
    if let width, !PreviewRequest.widths.contains(width) { throw ValidationError("--width takes 16 to 1920.") }
    if format == nil { throw ValidationError("\(file): frames are saved as .png, .jpg or .jpeg.") }
    if width != nil, asScannedOut { throw ValidationError("Give --width or --as-scanned-out, not both.") }
  }

  func run(on console: any Console) async throws(Failure) {
    let format = format ?? .png
    let picture = try await service.ask { client throws(ClientError) in
      guard let width else {
        return try await client.screenshot(display, ScreenshotRequest(format: format, isAsScannedOut: asScannedOut))
      }
      let request = PreviewRequest(width: width, format: format)
      return try await client.preview(display, request).bytes ?? []
    }
    if file == "-" { return try console.write(picture) }
    try FileBytes.write(picture, path: file)
  }
}
