import ArgumentParser
import Calendars
import Control

/// The hidden command that writes manual pages for scripts/install.
struct ManualCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Writes the manual page of a program, in mdoc(7).",
    discussion: """
      Examples:
        placard manual > placard.1
        placard-lab --experimental-dump-help | placard manual --dump - > placard-lab.1
        placardd --help | placard manual --help-text - --name placardd --section 8 > placardd.8
      """,
    shouldDisplay: false)

  @Option(help: ArgumentHelp("A program's output for --experimental-dump-help.", valueName: "file"))
  var dump: String?

  @Option(help: ArgumentHelp("A program's output for --help.", valueName: "file"))
  var helpText: String?

  @Option(help: ArgumentHelp("The program's name, for --help-text.", valueName: "name"))
  var name = "placardd"

  @Option(help: ArgumentHelp("The manual's section.", valueName: "number"))
  var section = 1

  func run(on console: any Console) async throws(Failure) {
    let text = Mdoc.text(try page(console), date: Self.date(console), about: "Placard \(PlacardVersion.current)")
    try console.write(Array(text.utf8))
  }

  private func page(_ console: any Console) throws(Failure) -> ManualPage {
    if let dump { return try ManualPage(dump: try Self.bytes(dump, console), section: section) }
    if let helpText {
      let text = String(decoding: try Self.bytes(helpText, console), as: UTF8.self)
      return try ManualPage(help: text, name: name, section: section)
    }
    return try ManualPage(dump: Array(Placard._dumpHelp().utf8), section: section)
  }

  private static func bytes(_ path: String, _ console: any Console) throws(Failure) -> [UInt8] {
    path == "-" ? try console.readInput() : try FileBytes.read(path: path)
  }

  /// Returns today's date, or that of a reproducible build (reproducible-builds.org, SOURCE_DATE_EPOCH).
  private static func date(_ console: any Console) -> String {
    let seconds = console.environment("SOURCE_DATE_EPOCH").flatMap { Int64($0) } ?? WallClock.system().now
    let day = Zone.utc.civil(atSeconds: seconds)
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ]
    return "\(months[min(max(day.month, 1), 12) - 1]) \(day.day), \(day.year)"
  }
}
