import ArgumentParser
import Control
import ControlClient
import FastPath

struct HealthCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Checks the service's health, and prints the reasons if it is not ok.",
    usage: "placard health [<options>]",
    discussion: """
      Exit status: 0 if the service is ok, 1 if it is starting or degraded, 3 if it does not answer within --timeout. \
      That makes it a probe for a service manager or a monitoring system.

      A loss stays a reason until it is repaired or acknowledged: a damaged database, an unreadable session, dropped \
      changes, a refused reload, a missing bus or font.

      Examples:
        placard health
        placard health --timeout 2 --json
        placard health --ack
      """)

  @OptionGroup var service: ServiceOptions

  @Flag(help: "Acknowledge all losses and print them; exit status 0.")
  var ack = false

  @OptionGroup var output: OutputOptions

  func run(on console: any Console) async throws(Failure) {
    if ack { return try await acknowledge(on: console) }
    let report = try await service.ask { client throws(ClientError) in try await client.health() }
    try console.report(report, output) { Self.lines(report, $0) }
    // The reasons have already been printed.
    if report.state != .ok { throw Failure(.refused, "") }
  }

  private func acknowledge(on console: any Console) async throws(Failure) {
    let losses = try await service.ask { client throws(ClientError) in try await client.acknowledgeLosses() }
    try console.report(losses, output) { _ in
      losses.isEmpty
        ? ["no losses to acknowledge"] : losses.map { "acknowledged: \(Table.printable($0.text))" }
    }
  }

  static func lines(_ report: HealthReport, _ style: OutputStyle) -> [String] {
    let color: TextColor = report.state == .ok ? .good : report.state == .starting ? .doubtful : .bad
    let head = style.paint(report.state.rawValue, color) + HealthTexts.up(report.uptime)
    let cut = report.rejections.sorted { $0.key < $1.key }.map { HealthTexts.limitHit($0.key, times: $0.value) }
    let losses = report.losses.isEmpty ? [] : [HealthTexts.losses(report.losses.count)]
    return [head] + (report.reasons + cut + losses).map { Table.printable(HealthTexts.indent + $0) }
  }
}
