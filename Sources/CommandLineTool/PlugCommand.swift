import ArgumentParser
import Control
import ControlClient
import JSON
import Geometry

struct PlugCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "plug",
    abstract: "Plugs a virtual monitor.",
    discussion: """
      Examples:
        placard plug 3840x2160
        placard plug Virtual-2 800x480
        placard plug --edid monitor.bin
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("Be the monitor that this file of EDID bytes describes.", valueName: "file"))
  var edid: String?

  @Argument(
    help: ArgumentHelp("The name of the output (otherwise the next free one), and the size.", valueName: "name|WxH"))
  var values: [String] = []

  func validate() throws {
    let most = edid == nil ? 2 : 1
    if values.count > most {
      throw ValidationError("Too many arguments: \(values.dropFirst(most).joined(separator: " ")).")
    }
    guard edid == nil else { return }
    guard let last = values.last else { throw ValidationError("Give a size as 1920x1080, or --edid FILE.") }
    if Size(parsing: last) == nil { throw ValidationError("\(last) is no size: write it as 1920x1080.") }
  }

  func run(on console: any Console) async throws(Failure) {
    let request = try request()
    let report = try await service.ask { client throws(ClientError) in try await client.plug(request) }
    try console.report(report, output) { DisplaysCommand.lines([report], $0) }
  }

  private func request() throws(Failure) -> PlugRequest {
    if let edid {
      let bytes = try FileBytes.read(path: edid)
      return PlugRequest(display: values.first, edid: Base64.encode(bytes))
    }
    let size = values.last.flatMap { Size(parsing: $0) }
    return PlugRequest(display: values.dropLast().first, width: size?.width, height: size?.height)
  }
}

struct UnplugCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "unplug",
    abstract: "Unplugs a virtual monitor.",
    discussion: """
      Example:
        placard unplug Virtual-2
      """)

  @OptionGroup var service: ServiceOptions

  @Argument(help: "The name of the virtual output, as placard displays lists it.")
  var name: String

  func run(on console: any Console) async throws(Failure) {
    try await service.ask { client throws(ClientError) in try await client.unplug(name) }
  }
}
