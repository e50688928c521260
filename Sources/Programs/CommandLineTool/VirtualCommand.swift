import ArgumentParser
import Control
import ControlClient

struct VirtualCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "virtual",
    abstract: "Lists the available virtual monitors, and those that are plugged in.",
    usage: "placard virtual [<options>]",
    discussion: """
      Examples:
        placard virtual
        placard plug --choice 3
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  func run(on console: any Console) async throws(Failure) {
    let report = try await service.ask { client throws(ClientError) in try await client.virtualMonitors() }
    try console.report(report, output) { Self.lines(report, $0) }
  }

  static func lines(_ report: VirtualReport, _ style: OutputStyle) -> [String] {
    guard report.available else {
      return ["This service drives real monitors. For virtual ones, start placardd --backend virtual."]
    }
    let rows = report.choices.enumerated().map { place, choice in
      ["\(place + 1)", choice.label, "placard plug --choice \(place + 1)"]
    }
    let plugged = report.plugged.isEmpty ? "none" : report.plugged.joined(separator: ", ")
    return Table(head: ["", "MONITOR", "PLUG IT"], rows: rows, whole: ["", "PLUG IT"]).lines(style) + [
      Table.printable("plugged in: \(plugged)")
    ]
  }
}

extension VirtualReport {
  /// Returns a choice by its number from 1, its label, or a prefix of only one label.
  func choice(_ text: String) throws(Failure) -> Choice {
    if let number = Int(text), choices.indices.contains(number - 1) { return choices[number - 1] }
    let wanted = text.lowercased()
    if let choice = choices.first(where: { $0.label.lowercased() == wanted }) { return choice }
    let fitting = choices.filter { $0.label.lowercased().hasPrefix(wanted) }
    guard fitting.count == 1, let choice = fitting.first else {
      let many = fitting.isEmpty ? "no virtual monitor" : "more than one virtual monitor"
      throw Failure(.refused, "\(text) matches \(many): see placard virtual.")
    }
    return choice
  }
}
