import ArgumentParser
import Control
import ControlClient
import FastPath

struct HealthCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Tells whether the service is well; exit status 0 if it is, 1 if not.",
    usage: "placard health [<options>]",
    discussion: """
      Example:
        placard health
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  func run(on console: any Console) async throws(Failure) {
    let report = try await service.ask { client throws(ClientError) in try await client.health() }
    try console.report(report, output) { Self.lines(report, $0) }
    // The reasons have already been printed.
    if report.state != .ok { throw Failure(.refused, "") }
  }

  static func lines(_ report: HealthReport, _ paper: Paper) -> [String] {
    let ink: Ink = report.state == .ok ? .good : report.state == .starting ? .doubtful : .bad
    let head = paper.paint(report.state.rawValue, ink) + HealthWords.up(report.uptime)
    let cut = report.cut.sorted { $0.key < $1.key }.map { HealthWords.cut($0.key, times: $0.value) }
    return [head] + (report.reasons + cut).map { Table.printable(HealthWords.indent + $0) }
  }
}
