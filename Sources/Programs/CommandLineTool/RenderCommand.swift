import ArgumentParser
import Control
import ControlClient
import Geometry

struct RenderCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Draws a scene as a PNG file of any size, without showing it on a display.",
    usage: "placard render [<options>] <scene> <picture>",
    discussion: """
      The scene is a file as for placard open: .json, .md, .png or .jpg. The time without an offset is one of this \
      machine's zone.

      Examples:
        placard render notes.md notes.png
        placard render board.json board.png --size 1080x1920 --display HDMI-A-1
        placard render week.json monday.png --at 2027-03-29T12:00
      """)

  @OptionGroup var service: ServiceOptions

  @Option(help: ArgumentHelp("The size in pixels.", valueName: "size"))
  var size = "1920x1080"

  @Option(
    help: ArgumentHelp(
      "The number of pixels per logical unit; by default that of a display of this size.", valueName: "scale"))
  var scale: Int?

  @Option(
    help: ArgumentHelp("The time that the scene shows, like 2027-03-29T12:00; by default now.", valueName: "time"))
  var at: String?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The display whose style the scene inherits.", valueName: "name"),
    completion: .displays)
  var display: String?

  @Argument(
    help: "The scene; - for a document on standard input.",
    completion: .file(extensions: ["json", "md", "markdown", "png", "jpg", "jpeg"]))
  var scene: String

  @Argument(help: "The file to write; - is standard output.", completion: .file(extensions: ["png"]))
  var picture: String

  func run(on console: any Console) async throws(Failure) {
    guard let pixels = Size(parsing: size) else {
      throw Failure(.usage, "--size is \(size): write a size like 1920x1080.")
    }
    let request = RenderRequest(
      scene: try await SceneFile.scene(scene, to: service, console), width: pixels.width, height: pixels.height,
      scale: scale, at: try WallClock.system().milliseconds(ofOption: at), display: display)
    let bytes = try await service.ask { client throws(ClientError) in try await client.render(request) }
    if picture == "-" { return try console.write(bytes) }
    try FileBytes.write(bytes, path: picture)
  }
}
