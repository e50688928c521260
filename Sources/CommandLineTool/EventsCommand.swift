import ArgumentParser
import Control
import ControlClient

struct EventsCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "Prints what happens, as it happens; ends with Ctrl-C.",
    discussion: """
      Each line has the kernel's time (CLOCK_MONOTONIC, seconds), what happened, the display and details.

      Examples:
        placard events
        placard events --json --count 1
      """)

  @OptionGroup var service: ServiceOptions

  @Flag(help: "JSON, a line for each event.")
  var json = false

  @Option(help: ArgumentHelp("End after so many events.", valueName: "number"))
  var count: Int?

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count takes a number from 1.") }
  }

  func run(on console: any Console) async throws(Failure) {
    let events = try await service.ask { client throws(ClientError) in try await client.events() }
    console.complain("Waiting for events; Ctrl-C ends.")
    var reader = events.makeAsyncIterator()
    var left = count ?? .max
    while left > 0, let event = try await service.next(&reader) {
      try console.print(json ? JSONText.line(event) : Self.line(event))
      left -= 1
    }
  }

  static func line(_ event: ControlEvent) -> String {
    let parts = [Tenths.seconds(nanoseconds: event.time), event.kind.rawValue, event.display, event.detail ?? ""]
    return Table.printable(parts.filter { !$0.isEmpty }.joined(separator: "  "))
  }
}

extension ServiceOptions {
  /// The next event, or the command's end.
  func next(_ reader: inout ControlEvents.Iterator) async throws(Failure) -> ControlEvent? {
    do throws(ClientError) {
      return try await reader.next()
    } catch {
      throw Failure(error)
    }
  }
}
