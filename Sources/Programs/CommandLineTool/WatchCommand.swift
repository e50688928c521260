import ArgumentParser
import Control
import ControlClient
import Geometry
import Pictures

struct WatchCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Shows a display's frames in the terminal, live, until q or Ctrl-C.",
    usage: "placard watch [<options>] <display>",
    discussion: """
      watch draws with kitty's graphics protocol or sixels if the terminal reports that it supports them. Otherwise \
      it draws half blocks in 24-bit or 256 colors, or letters on a terminal without colors.

      Examples:
        placard watch HDMI-A-1
        placard watch HDMI-A-1 --as sixel
        placard watch HDMI-A-1 --once
      """)

  @OptionGroup var service: ServiceOptions

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("Draw with kitty, sixel, blocks or ascii, without querying the terminal.", valueName: "method"),
    completion: .list(DrawingMethod.allCases.map(\.rawValue)),
    transform: { text in
      guard let way = DrawingMethod(rawValue: text) else {
        throw ValidationError("\(text) is not a drawing method: use kitty, sixel, blocks or ascii.")
      }
      return way
    })
  var way: DrawingMethod?

  @Flag(help: "Draw one frame, without taking over the terminal, and end.")
  var once = false

  @Argument(help: "The display's name, as placard displays lists it.", completion: .displays)
  var display: String

  func run(on console: any Console) async throws(Failure) {
    let report = try await service.ask { client throws(ClientError) in try await client.display(display) }
    if once { return try await draw(report, console) }
    guard let terminal = try await console.openTerminal() else {
      throw Failure(
        .refused, "placard watch needs a terminal: use --once, or placard screenshot \(display) FILE --width 480.")
    }
    let screen = WatchScreen(report, terminal.size, way: way, depth: .of(console))
    let questions = way == nil ? TerminalQueries.text(term: console.environment("TERM") ?? "") : []
    var watcher = Watcher(client: try service.client, terminal: terminal, display: display, screen: screen)
    try await watcher.run(asking: questions)
  }

  /// Draws one frame, with half blocks or characters unless an option selects another method.
  private func draw(_ report: DisplayReport, _ console: any Console) async throws(Failure) {
    // The reader of the output cannot be queried.
    let size = TerminalSize(columns: console.columns ?? 80, rows: 1000)
    let depth = ColorDepth.of(console)
    var screen = WatchScreen(report, size, way: way ?? .best(TerminalAnswers(), depth), depth: depth)
    screen.stopAsking()
    let request = screen.request
    let preview = try await service.ask { client throws(ClientError) in try await client.preview(display, request) }
    try console.write(screen.lines(of: screen.picture(preview.bytes ?? [])))
  }
}
