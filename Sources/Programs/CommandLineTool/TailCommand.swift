import ArgumentParser
import Control

struct TailCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "tail",
    abstract: "Prints events as they happen, until Ctrl-C.",
    usage: "placard tail [<options>]",
    discussion: """
      Each line has the local time, the kind of event, the display and details. An event of another day has its \
      date. If the service stops, tail waits for it and then prints the events that it missed.

      Examples:
        placard tail
        placard tail --json --count 1
      """,
    aliases: ["events"])

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("End after this number of events.", valueName: "number"))
  var count: Int?

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count takes a number from 1.") }
  }

  func run(on console: any Console) async throws(Failure) {
    var update = try await ServiceEvents(service.client)
    console.complain("Waiting for events; Ctrl-C ends.")
    var left = count ?? .max
    while left > 0 {
      switch try await update.next() {
      case .event(let event):
        try console.print(output.json ? JSONText.line(event) : Self.line(event, .system(), console.style))
        left -= 1
      case .gap: console.complain("Some events were lost, or the service was restarted.")
      case .gone: console.complain("The service has stopped. Waiting for it.")
      case .back: console.complain("The service is back.")
      }
    }
  }

  /// Returns the line for an event; it has no time if the service sent no wall time.
  static func line(_ event: ControlEvent, _ clock: WallClock, _ style: OutputStyle) -> String {
    // The monotonic clock of another machine is meaningless here.
    let time = event.date.map { clock.precise(milliseconds: $0.milliseconds) } ?? ""
    let parts = [
      (time, TextColor.faint), (event.kind.rawValue, color(of: event.kind)),
      (event.display, nil), (event.message.map { "message \($0)" } ?? "", .faint),
      (event.session.map { "session \($0)" } ?? "", .faint), (event.detail ?? "", nil),
    ]
    return parts.filter { !$0.0.isEmpty }.map { style.paint(Table.printable($0.0), $0.1) }.joined(separator: "  ")
  }

  private static func color(of kind: ControlEvent.Kind) -> TextColor? {
    switch kind {
    case .connected: .good
    case .dark: .bad
    case .disconnected, .modePending: .doubtful
    case .stateChanged: .faint
    default: .strong
    }
  }
}
