import ArgumentParser
import Control
import ControlClient

struct UndoCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Reopens a session that was closed or replaced.",
    usage: "placard undo [<options>] [<session>]",
    discussion: """
      The session that ended last reopens on its monitor, unchanged. The session that is open there ends, and another \
      undo reopens it. `placard sessions --closed` lists the last 10 sessions that ended.

      Examples:
        placard undo
        placard undo --display HDMI-A-1
        placard undo 12
      """)

  @OptionGroup var service: ServiceOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Reopen the session that ended last on this display.", valueName: "name"),
    completion: .displays)
  var display: String?

  @OptionGroup var output: OutputOptions

  @Argument(help: ArgumentHelp("The session's ID, as `placard sessions --closed` lists it.", valueName: "session"))
  var session: Int?

  func validate() throws {
    if session != nil && display != nil { throw ValidationError("Give a session or --display, not both.") }
  }

  func run(on console: any Console) async throws(Failure) {
    let id = if let session { session } else { try await last() }
    let report = try await service.ask { client throws(ClientError) in try await client.reopen(id) }
    try report.print(on: console, output, isAwaited: false)
  }

  /// Returns the ID of the session that ended last, on any display or on the given one.
  private func last() async throws(Failure) -> Int {
    let closed = try await service.ask { client throws(ClientError) in try await client.closedSessions() }
    if let found = closed.first(where: { display == nil || $0.display == display }) { return found.id }
    guard let display else { throw Failure(.refused, "no ended sessions to reopen") }
    let others = Set(closed.compactMap(\.display)).sorted().map(Table.printable).joined(separator: ", ")
    throw Failure(
      .refused, "no session ended on \(Table.printable(display))" + (others.isEmpty ? "" : ", but on \(others)"))
  }
}
