import ArgumentParser
import Control
import ControlClient
import FastPath

struct DisplaysCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "displays",
    abstract: "Lists the displays and what they show.",
    usage: "placard displays [<options>]",
    discussion: """
      Examples:
        placard displays
        placard displays --watch
        placard displays --verbose
        placard displays --json
      """)

  @OptionGroup var service: ServiceOptions

  @OptionGroup var output: OutputOptions

  @Flag(
    name: .shortAndLong,
    help: "Add each display's driver, and its late animation frames in total and in a row.")
  var verbose = false

  @Flag(help: "Print the list again after each event, until Ctrl-C.")
  var watch = false

  func run(on console: any Console) async throws(Failure) {
    guard watch else { return try await list(console) }
    let events = try await service.ask { client throws(ClientError) in try await client.events() }
    try await list(console)
    var reader = events.makeAsyncIterator()
    while try await service.next(&reader) != nil { try await list(console) }
  }

  /// Prints the list; on a terminal, a new list replaces the old one (ECMA-48: cursor home, erase display).
  private func list(_ console: any Console) async throws(Failure) {
    let reports = try await service.ask { client throws(ClientError) in try await client.displays() }
    if output.json { return try console.print(watch ? JSONText.line(reports) : JSONText.pretty(reports)) }
    let isHome = watch && console.columns != nil
    if isHome { try console.write(Array("\u{1b}[H\u{1b}[2J".utf8)) }
    let text = Self.lines(reports, isVerbose: verbose, clock: .system(), console.style).joined(separator: "\n")
    try console.print(text + (watch && !isHome ? "\n" : ""))
  }

  static func lines(
    _ reports: [DisplayReport], isVerbose: Bool = false, clock: WallClock, _ style: OutputStyle
  ) -> [String] {
    guard !reports.isEmpty else { return [DisplayTexts.none] }
    let rows = reports.map { report in
      [
        report.name, report.state.rawValue, report.since.map { clock.short(milliseconds: $0.milliseconds) } ?? "-",
        report.mode ?? "-", "\(report.scale)", report.monitor ?? "-",
      ] + (isVerbose ? [report.driver, count(report.missedFrames), count(report.missedInARow)] : [])
        + [report.message ?? report.reason ?? "-"]
    }
    let head =
      DisplayTexts.head + (isVerbose ? ["DRIVER", "MISSED", "IN A ROW"] : []) + [DisplayTexts.lastHead]
    let table = Table(
      head: head, rows: rows, colors: [1: color(ofState:)], optional: DisplayTexts.optional,
      whole: ["DISPLAY", "STATE", "SINCE", "MODE"], wrapped: ["MONITOR", "SHOWS"],
      uncut: Set(reports.filter { $0.message == nil }.compactMap(\.reason).map(Table.printable)))
    let warnings = reports.flatMap { report in report.warnings.map { DisplayTexts.warning(report.name, $0) } }
    return table.lines(style) + warnings.map { style.paint(Table.printable($0), .doubtful) }
  }

  private static func count(_ number: Int?) -> String { number.map(String.init) ?? "-" }

  /// Returns the color of a display state.
  @Sendable private static func color(ofState state: String) -> TextColor? {
    switch state {
    case "lit": .good
    case "dark", "stalled", "lost": .bad
    case "lighting": .doubtful
    default: .faint
    }
  }
}

extension ServiceOptions {
  /// Returns the next event, or throws a failure that ends the command.
  fileprivate func next(_ reader: inout ControlEvents.Iterator) async throws(Failure) -> ControlEvent? {
    do throws(ClientError) {
      return try await reader.next()
    } catch {
      throw Failure(error)
    }
  }
}
