import ArgumentParser
import Control
import ControlClient

struct SessionsCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions",
    abstract: "Lists what each monitor shows, also those that are not plugged in now.",
    discussion: """
      A monitor's own message, and whether it sleeps, wait for it and come back with it, on whatever port. Monitors that
      cannot be told apart keep to their ports.

      Examples:
        placard sessions
        placard sessions --json
      """)

  @OptionGroup var service: ServiceOptions

  @Flag(help: "JSON instead of a table.")
  var json = false

  func run(on console: any Console) async throws(Failure) {
    let reports = try await service.ask { client throws(ClientError) in try await client.sessions() }
    try console.print(
      json ? JSONText.pretty(reports) : Self.lines(reports, columns: console.columns).joined(separator: "\n"))
  }

  static func lines(_ reports: [SessionReport], columns: Int?) -> [String] {
    guard !reports.isEmpty else { return ["No monitor was seen yet: plug one in."] }
    let rows = reports.map { report in
      [
        "\(report.id)", report.display ?? "(was on \(report.place))", report.asleep ? "asleep" : "awake",
        report.monitor, report.message ?? "(the message for all)",
      ]
    }
    return Table(head: ["ID", "DISPLAY", "STATE", "MONITOR", "SHOWS"], rows: rows).lines(columns: columns)
  }
}
