import ArgumentParser
import Control
import ControlClient
import JSON

struct ValuesCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "values", abstract: "Lists the live values, which texts show by their names.",
    discussion: "Example:\n  placard values")

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  func run(on console: any Console) async throws(Failure) {
    let values = try await service.ask { client throws(ClientError) in try await client.values() }
    let clock = WallClock.system()
    try console.report(values, output) { Self.lines(values, clock: clock, $0) }
  }

  static func lines(_ values: [ValueReport], clock: WallClock, _ style: OutputStyle) -> [String] {
    guard !values.isEmpty else { return ["there are no values; `placard set NAME VALUE` sets one"] }
    let rows = values.map { value in
      [
        value.name, value.words,
        clock.short(milliseconds: value.updated.milliseconds) + (value.isOld ? ", too old" : ""),
        value.maxAge.map(Period.words) ?? "-",
        value.displays.isEmpty ? "-" : value.displays.joined(separator: ", "),
      ]
    }
    let table = Table(
      head: ["NAME", "VALUE", "SET", "MAX AGE", "SHOWN BY"], rows: rows, optional: ["MAX AGE", "SHOWN BY"],
      whole: ["NAME"], wrapped: ["VALUE"])
    return table.lines(style)
  }
}

struct SetCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Sets a live value, and updates the displays that show it.",
    usage: "placard set [<options>] <name> <value>...\n       placard set [<options>] <name> --csv <file>",
    discussion: """
      Texts of scenes and messages refer to a value by its name in braces: {{temperature}}. After | a reference can \
      have filters: digits N, percent, time, date, updated (when it was set) and else TEXT (what to show while there \
      is no value, or while it is too old). Otherwise, a value that is too old is shown with the time when it was set.

      A value with --max-age comes from a source that repeats it, and is gone after a restart of the service. Other \
      values are stored.

      Examples:
        placard set temperature 21.5 --unit °C --max-age 10m
        placard show "It is {{temperature}} in the hall."
        placard show "Doctor on duty: {{doctor | else none}}"
        placard set doctor Dr. Miller
        placard set departures --csv departures.csv --header --max-age 5m
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("The unit after a number.", valueName: "unit"))
  var unit: String?

  @Option(
    help: ArgumentHelp("The age from which the value is too old, such as 90s, 10m or 2h.", valueName: "duration"),
    transform: { text in
      guard let period = Period(parsing: text) else {
        throw ValidationError("\(text) is not a duration: use 90s, 10m or 2h.")
      }
      return period
    })
  var maxAge: Period?

  @Flag(help: "Set a text, even if it is a number.")
  var text = false

  @Option(
    help: ArgumentHelp("Set the rows of a table from a CSV file; - is standard input.", valueName: "file"),
    completion: .file(extensions: ["csv", "tsv"]))
  var csv: String?

  @Flag(help: "The first row of the CSV file has titles, and is left out.")
  var header = false

  @Argument(help: "The value's name.", completion: .values)
  var name: String

  // A negative number looks like an option.
  @Argument(
    parsing: .allUnrecognized,
    help: "A number or a text; several words are joined by spaces, and - reads standard input.")
  var value: [String] = []

  func validate() throws {
    let option = value.first { $0.hasPrefix("-") && $0 != "-" && Double($0) == nil }
    if let option { throw ValidationError("Unknown option '\(option)'. A text that begins with - is read with -.") }
    if csv == nil, value.isEmpty { throw ValidationError("Give a value or --csv.") }
    if csv != nil, !value.isEmpty || text || unit != nil {
      throw ValidationError("--csv sets the rows of a table: leave out the value, --text and --unit.")
    }
    if header, csv == nil { throw ValidationError("--header applies to --csv.") }
  }

  func run(on console: any Console) async throws(Failure) {
    let request = ValueRequest(value: try content(console), unit: unit, maxAge: maxAge?.seconds)
    let report = try await service.ask { client throws(ClientError) in try await client.setValue(name, request) }
    if output.json { try console.print(JSONText.pretty(report)) }
  }

  /// Returns the value of the arguments.
  private func content(_ console: any Console) throws(Failure) -> JSONValue {
    if let csv {
      let bytes = csv == "-" ? try console.readInput() : try FileBytes.read(path: csv, limit: 8 << 20)
      do throws(ControlError) {
        return try CSVText.value(of: bytes, hasHeader: header)
      } catch { throw Failure(.refused, "\(csv): \(error.message).") }
    }
    let words = value == ["-"] ? try console.readText() : value.joined(separator: " ")
    let isNumber = !text && (try? JSONValue(parsing: words.utf8))?.double != nil
    return isNumber ? .number(words) : .string(words)
  }
}

struct UnsetCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset", abstract: "Removes a live value.", usage: "placard unset [<options>] <name>",
    discussion: "Example:\n  placard unset temperature")

  @OptionGroup var service: ServiceOptions

  @Argument(help: "The value's name.", completion: .values)
  var name: String

  func run(on console: any Console) async throws(Failure) {
    try await service.ask { client throws(ClientError) in try await client.removeValue(name) }
  }
}

extension ValueReport {
  /// The value in one line, with its unit.
  fileprivate var words: String {
    switch value {
    case .number(let text), .string(let text): unit.map { "\(text) \($0)" } ?? text
    case .array(let rows): "\(rows.count) \(rows.count == 1 ? "row" : "rows")"
    case .null, .bool, .object: ""
    }
  }
}

extension CompletionKind {
  /// The names of the live values.
  static var values: CompletionKind {
    names { client throws(ClientError) in try await client.values().map(\.name) }
  }
}
