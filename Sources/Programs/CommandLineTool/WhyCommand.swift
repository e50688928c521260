import ArgumentParser
import Control
import ControlClient

struct WhyCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Explains why a display has its mode, and why the other modes were rejected.",
    usage: "placard why [<options>] <display>",
    discussion: """
      Example:
        placard why HDMI-A-1
      """)

  @OptionGroup var service: ServiceOptions

  @OptionGroup var output: OutputOptions

  @Argument(help: "The display's name, as placard displays lists it.", completion: .displays)
  var display: String

  func run(on console: any Console) async throws(Failure) {
    let report = try await service.ask { client throws(ClientError) in try await client.why(display) }
    try console.report(report, output) { Self.lines(report, $0) }
  }

  static func lines(_ report: WhyReport, _ style: OutputStyle) -> [String] {
    let choice = report.mode.map { "\($0), scale \(report.scale)" } ?? "no mode"
    var lines = ["\(report.display): \(choice) (policy \(report.policy))"]
    lines += report.reasons.map { "  \($0)" }
    if !report.attempts.isEmpty { lines += ["Tried on the hardware:"] + report.attempts.map { "  \($0)" } }
    if !report.rejected.isEmpty { lines.append("Rejected:") }
    let width = report.rejected.map(\.mode.count).max() ?? 0
    lines += report.rejected.map { verdict in
      "  \(verdict.mode)" + String(repeating: " ", count: width - verdict.mode.count) + "  \(verdict.reason)"
    }
    lines = lines.map(Table.printable)
    return [style.paint(lines[0], .strong)] + lines.dropFirst()
  }
}
