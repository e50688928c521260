import ArgumentParser
import Control
import ControlClient
import JSON
import Geometry

struct PlugCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "plug",
    abstract: "Plugs a virtual monitor; without a size, lists the available ones.",
    usage: "placard plug [<options>] [<name>] [<WxH>]",
    discussion: """
      All virtual monitors together have at most 24,883,200 pixels (three of 3840x2160).

      Examples:
        placard plug
        placard plug 3840x2160
        placard plug --choice 3
        placard plug Virtual-2 800x480
        placard plug --edid monitor.bin
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp("Plug the monitor that this EDID file describes.", valueName: "file"),
    completion: .file())
  var edid: String?

  @Option(help: ArgumentHelp("Plug this monitor from placard virtual, by number or name.", valueName: "choice"))
  var choice: String?

  @Argument(
    help: ArgumentHelp("The output's name (by default the next free one), and the size.", valueName: "name|WxH"))
  var values: [String] = []

  func validate() throws {
    if edid != nil && choice != nil { throw ValidationError("Give --edid or --choice, not both.") }
    let most = edid == nil && choice == nil ? 2 : 1
    if values.count > most {
      throw ValidationError("Too many arguments: \(values.dropFirst(most).joined(separator: " ")).")
    }
    guard edid == nil, choice == nil, let last = values.last else { return }
    if Size(parsing: last) == nil { throw ValidationError("\(last) is not a size: use 1920x1080.") }
  }

  func run(on console: any Console) async throws(Failure) {
    guard !values.isEmpty || edid != nil || choice != nil else {
      let menu = try await service.ask { client throws(ClientError) in try await client.virtualMonitors() }
      return try console.report(menu, output) { VirtualCommand.lines(menu, $0) }
    }
    let request = try await request()
    let report = try await service.ask { client throws(ClientError) in try await client.plug(request) }
    try console.report(report, output) { DisplaysCommand.lines([report], clock: .system(), $0) }
  }

  private func request() async throws(Failure) -> PlugRequest {
    if let choice {
      let menu = try await service.ask { client throws(ClientError) in try await client.virtualMonitors() }
      var request = try menu.choice(choice).request
      request.display = values.first ?? request.display
      return request
    }
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
    usage: "placard unplug [<options>] <display>",
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
