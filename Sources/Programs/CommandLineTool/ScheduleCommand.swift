import ArgumentParser
import Control
import ControlClient

struct ScheduleCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Prints what displays have by their schedules, at a time or for some days, and why.",
    usage: "placard schedule [<options>]",
    discussion: """
      A time without an offset is one of this machine's zone. A time that is skipped, because clocks are set forward, is \
      read with the offset before the change; of a time that occurs twice, the first one is meant.

      Examples:
        placard schedule
        placard schedule --at 2027-03-28T02:30 --display HDMI-A-1
        placard schedule --days 7
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The display; by default all connected displays.", valueName: "name"),
    completion: .displays)
  var display: String?

  @Option(help: ArgumentHelp("The time, like 2027-03-28T02:30; by default now.", valueName: "time"))
  var at: String?

  @Option(help: ArgumentHelp("Print all changes of this number of days.", valueName: "number"))
  var days: Int?

  func validate() throws {
    if let days, !ScheduleQuery.permittedDays.contains(days) {
      throw ValidationError(
        "--days takes a number from \(ScheduleQuery.permittedDays.lowerBound) to \(ScheduleQuery.permittedDays.upperBound)."
      )
    }
  }

  func run(on console: any Console) async throws(Failure) {
    let clock = WallClock.system()
    let query = ScheduleQuery(at: try clock.milliseconds(ofOption: at), days: days)
    let slots = try await service.ask { client throws(ClientError) in
      var names = [display].compactMap(\.self)
      if display == nil { names = try await client.displays().filter { $0.identity != nil }.map(\.name) }
      var slots: [ScheduleSlot] = []
      for name in names { slots += try await client.schedule(name, query) }
      return slots
    }
    try console.report(slots, output) { Self.lines(slots, clock: clock, $0) }
  }

  static func lines(_ slots: [ScheduleSlot], clock: WallClock, _ style: OutputStyle) -> [String] {
    guard !slots.isEmpty else { return ["no display is connected; `placard displays` lists all"] }
    let rows = slots.map { slot in
      [
        slot.display, clock.text(milliseconds: slot.from.milliseconds),
        slot.until.map { clock.text(milliseconds: $0.milliseconds) } ?? "-",
        slot.asleep ? "asleep" : "\(slot.kind): \(slot.summary)", slot.because.joined(separator: ", "),
      ]
    }
    let table = Table(
      head: ["DISPLAY", "FROM", "UNTIL", "SHOWS", "BECAUSE"], rows: rows, whole: ["DISPLAY", "FROM", "UNTIL"],
      wrapped: ["SHOWS", "BECAUSE"])
    return table.lines(style)
  }
}
