import ArgumentParser
import Control
import ControlClient

struct IdentifyCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "identify",
    abstract: "Shows each display's name on it for a few seconds.",
    usage: "placard identify [<options>] [<display>]",
    discussion: """
      Examples:
        placard identify
        placard identify HDMI-A-1 --for 1m
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Option(
    name: .customLong("for"), help: ArgumentHelp("How long: by default 10s, at most 10m.", valueName: "time"),
    transform: { text in
      guard let period = Period(parsing: text) else {
        throw ValidationError("\(text) is not a duration: use 10s or 1m.")
      }
      try IdentifyRequest.checkOption("--for in seconds", period.seconds, of: "seconds")
      return period
    })
  var period: Period?

  @Argument(help: "The display's name, as placard displays lists it; by default all displays.", completion: .displays)
  var display: String?

  func run(on console: any Console) async throws(Failure) {
    let request = IdentifyRequest(display: display, seconds: period?.seconds)
    let reports = try await service.ask { client throws(ClientError) in try await client.identify(request) }
    try console.report(reports, output) { DisplaysCommand.lines(reports, clock: .system(), $0) }
    if let reason = Self.unseenReason(reports) { console.complain(Delivery.unseenLine(reason)) }
  }

  /// Returns why no display shows its name, or nil if at least one shows it or is about to.
  static func unseenReason(_ reports: [DisplayReport]) -> String? {
    guard !reports.contains(where: { [.lit, .lighting, .stalled].contains($0.state) }) else { return nil }
    if reports.isEmpty { return "no monitor is connected" }
    return reports.map { "\($0.name): \($0.reason ?? $0.state.rawValue)" }.joined(separator: "; ")
  }
}
