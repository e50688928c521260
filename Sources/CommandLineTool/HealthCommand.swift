import ArgumentParser
import Control
import ControlClient

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
    // The reasons were printed; nothing is left to say.
    if report.state != .ok { throw Failure(.refused, "") }
  }

  static func lines(_ report: HealthReport, _ paper: Paper) -> [String] {
    let ink: Ink = report.state == .ok ? .good : report.state == .starting ? .doubtful : .bad
    let head = paper.paint(report.state.rawValue, ink) + ", up for \(Period.words(seconds: report.uptime))"
    let cut = report.cut.sorted { $0.key < $1.key }.map { "cut by a limit: \($0.key), \($0.value) times" }
    return [head] + (report.reasons + cut).map { Table.printable("  \($0)") }
  }
}

extension Period {
  /// Seconds as people say them, in the two largest units: `3d 4h`, `2m 5s`, `0s`.
  static func words(seconds: Int) -> String {
    let units = [("d", 86400), ("h", 3600), ("m", 60), ("s", 1)]
    guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0s" }
    var left = seconds
    let words = units[first...].prefix(2).compactMap { unit -> String? in
      defer { left %= unit.1 }
      return left / unit.1 > 0 ? "\(left / unit.1)\(unit.0)" : nil
    }
    return words.joined(separator: " ")
  }
}
