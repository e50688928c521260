import ArgumentParser
import Control

struct TailCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "tail",
    abstract: "Prints what happens, as it happens; ends with Ctrl-C.",
    usage: "placard tail [<options>]",
    discussion: """
      Each line has the kernel's time (CLOCK_MONOTONIC, seconds), what happened, the display and details. When the \
      service stops, it is told, and waited for; what happened in between is told where the service remembers it.

      Examples:
        placard tail
        placard tail --json --count 1
      """,
    aliases: ["events"])

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("End after so many events.", valueName: "number"))
  var count: Int?

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count takes a number from 1.") }
  }

  func run(on console: any Console) async throws(Failure) {
    var news = try await ServiceNews(service.client)
    console.complain("Waiting for events; Ctrl-C ends.")
    var left = count ?? .max
    while left > 0 {
      switch try await news.next() {
      case .event(let event):
        try console.print(output.json ? JSONText.line(event) : Self.line(event, console.paper))
        left -= 1
      case .torn: console.complain("Events are lost in between, or the service was started anew.")
      case .gone: console.complain("The service is gone; waiting for it.")
      case .back: console.complain("The service is back.")
      }
    }
  }

  static func line(_ event: ControlEvent, _ paper: Paper) -> String {
    let parts = [
      (Tenths.seconds(nanoseconds: event.time), Ink.faint), (event.kind.rawValue, ink(of: event.kind)),
      (event.display, nil), (event.message.map { "message \($0)" } ?? "", .faint),
      (event.session.map { "session \($0)" } ?? "", .faint), (event.detail ?? "", nil),
    ]
    return parts.filter { !$0.0.isEmpty }.map { paper.paint(Table.printable($0.0), $0.1) }.joined(separator: "  ")
  }

  private static func ink(of kind: ControlEvent.Kind) -> Ink? {
    switch kind {
    case .connected: .good
    case .dark: .bad
    case .disconnected, .modeTrial: .doubtful
    case .stateChanged: .faint
    default: .strong
    }
  }
}
