import ArgumentParser
import Control
import ControlClient

struct HistoryCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Lists what the displays showed, newest first.",
    usage: "placard history [<options>]",
    discussion: """
      Times are local and exact to the frame. "~" marks an estimated end, for example after a power cut.

      Examples:
        placard history --since 2h
        placard history --since yesterday --until today --display HDMI-A-1
        placard history --since 2026-11-01 --csv > november.csv
      """)

  @OptionGroup var service: ServiceOptions

  @Option(help: ArgumentHelp("The earliest time: 2h (ago), today, yesterday, or 2026-11-21T08:00.", valueName: "time"))
  var since: String?

  @Option(help: ArgumentHelp("The latest time.", valueName: "time"))
  var until: String?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("List only this display.", valueName: "name"), completion: .displays)
  var display: String?

  @Option(help: ArgumentHelp("The maximum number of lines; by default 100, with --csv all.", valueName: "number"))
  var limit: Int?

  @Flag(help: "Comma-separated values instead of a table, with times in UTC.")
  var csv = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if csv && output.json { throw ValidationError("Give --csv or --json, not both.") }
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1.") }
    for (option, text) in [("--since", since), ("--until", until)] {
      guard let text, WallClock.system().milliseconds(of: text) == nil else { continue }
      throw ValidationError("\(option) \(text) is not a time: use 30m, 2h, 1d, today, yesterday or 2026-11-21T08:00.")
    }
  }

  func run(on console: any Console) async throws(Failure) {
    let clock = WallClock.system()
    let query = HistoryQuery(
      since: since.flatMap(clock.milliseconds), until: until.flatMap(clock.milliseconds), display: display,
      limit: limit)
    if csv {
      let table = try await service.ask { client throws(ClientError) in try await client.historyTable(query) }
      return try console.write(SafeCSV.table(table))
    }
    let history = try await service.ask { client throws(ClientError) in try await client.history(query) }
    if output.json { return try console.print(JSONText.pretty(history)) }
    try console.print(Self.lines(history, clock: clock, console.style).joined(separator: "\n"))
  }

  static func lines(_ history: [HistoryLine], clock: WallClock, _ style: OutputStyle) -> [String] {
    guard !history.isEmpty else { return ["nothing was shown then; `placard history` without options lists all"] }
    let rows = history.map { line in
      let end = line.ended.map { (line.exact ? "" : "~") + clock.text(milliseconds: $0.milliseconds) }
      return [
        clock.text(milliseconds: line.began.milliseconds), end ?? "now", line.display,
        line.session.map(String.init) ?? "-", line.kind, line.what,
      ]
    }
    let table = Table(
      head: ["FROM", "UNTIL", "DISPLAY", "SESSION", "KIND", "SHOWED"], rows: rows, optional: ["SESSION", "KIND"],
      whole: ["FROM", "UNTIL", "DISPLAY"], wrapped: ["SHOWED"])
    return table.lines(style)
  }
}
