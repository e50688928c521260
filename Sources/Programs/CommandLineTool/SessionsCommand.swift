import ArgumentParser
import Control
import ControlClient

struct SessionsCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions",
    abstract: "Lists what each monitor shows, including unplugged monitors.",
    usage: "placard sessions [<options>]",
    discussion: """
      A session and its sleep state stay with the monitor, on any port. Monitors that cannot be distinguished are \
      bound to their ports.

      Examples:
        placard sessions
        placard sessions --json
        placard sessions --closed
      """)

  @OptionGroup var service: ServiceOptions

  @Flag(help: "List the last 10 sessions that ended, which `placard undo` reopens.")
  var closed = false

  @OptionGroup var output: OutputOptions

  func run(on console: any Console) async throws(Failure) {
    if closed {
      let reports = try await service.ask { client throws(ClientError) in try await client.closedSessions() }
      return try console.report(reports, output) { Self.lines(reports, clock: .system(), $0) }
    }
    let reports = try await service.ask { client throws(ClientError) in try await client.sessions() }
    try console.report(reports, output) { Self.lines(reports, $0) }
  }

  static func lines(_ reports: [SessionReport], _ style: OutputStyle) -> [String] {
    guard !reports.isEmpty else { return ["No monitors yet: connect one."] }
    let rows = reports.map { report in
      [
        report.id.map(String.init) ?? "-", report.display ?? "(was on \(report.place))", state(of: report),
        report.label ?? report.monitor, report.tag ?? "-",
        report.summary ?? report.message ?? "(content for all displays or its role)",
      ]
    }
    return Table(
      head: ["ID", "DISPLAY", "STATE", "MONITOR", "TAG", "SCENE"], rows: rows,
      colors: [2: { $0 == "awake" ? .good : .faint }], optional: ["TAG"], whole: ["ID", "DISPLAY", "STATE"],
      wrapped: ["MONITOR", "SCENE"]
    ).lines(style)
  }

  static func lines(_ reports: [ClosedSessionReport], clock: WallClock, _ style: OutputStyle) -> [String] {
    guard !reports.isEmpty else { return ["no ended sessions to reopen"] }
    let rows = reports.map { report in
      [
        "\(report.id)", report.display ?? "-", clock.short(milliseconds: report.ended.milliseconds),
        report.tag ?? "-", report.summary,
      ]
    }
    return Table(
      head: ["ID", "DISPLAY", "ENDED", "TAG", "SCENE"], rows: rows, optional: ["TAG"],
      whole: ["ID", "DISPLAY", "ENDED"], wrapped: ["SCENE"]
    ).lines(style)
  }

  private static func state(of report: SessionReport) -> String {
    report.asleep ? "asleep" : report.covered ? "covered" : "awake"
  }
}
