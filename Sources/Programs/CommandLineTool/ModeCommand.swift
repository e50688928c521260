import ArgumentParser
import Control
import ControlClient

struct ModeCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "mode",
    abstract: "Changes a monitor's mode or rotation; without either, lists its modes.",
    usage: "placard mode [<options>] <display> [<mode>]",
    discussion: """
      A new mode is reverted after 15 seconds unless you confirm it. On a terminal, placard asks you. A confirmed mode \
      is saved for this monitor, on any port, and overrides the configuration.

      Examples:
        placard mode HDMI-A-1
        placard mode HDMI-A-1 1280x720@60
        placard mode HDMI-A-1 native --rotate 90 --keep
        placard mode HDMI-A-1 --confirm
        placard mode HDMI-A-1 --reset
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp("Rotate frames by 0, 90, 180 or 270 degrees clockwise.", valueName: "degrees"),
    completion: .list(ModeRequest.interface["rotation"]?.choices ?? []))
  var rotate: Int?

  @Flag(help: "Keep the mode without confirmation.")
  var keep = false

  @Flag(help: "Confirm the pending mode.")
  var confirm = false

  @Flag(help: "Revert the pending mode; if none is pending, use the configuration again.")
  var reset = false

  @Argument(help: "The display's name, as placard displays lists it.", completion: .displays)
  var display: String

  @Argument(
    help: "A mode such as 1920x1080@60, or a policy: legible, native, halve-above-1080p.", completion: .modes)
  var mode: String?

  private var isChange: Bool { mode != nil || rotate != nil }

  func validate() throws {
    try ModeRequest.checkOption("--rotate", rotate, of: "rotation")
    guard [isChange, confirm, reset].filter(\.self).count <= 1 else {
      throw ValidationError("Give only one of a mode or --rotate, --confirm, and --reset.")
    }
    if keep && !isChange { throw ValidationError("--keep needs a mode or --rotate.") }
  }

  func run(on console: any Console) async throws(Failure) {
    guard isChange else {
      let report = try await service.ask { client throws(ClientError) in
        if confirm { return try await client.confirmMode(display) }
        return reset ? try await client.resetMode(display) : try await client.display(display)
      }
      return try console.report(report, output) { confirm || reset ? [report.modeLine] : Self.list(report, $0) }
    }
    let request = ModeRequest(mode: mode, rotation: rotate, keep: keep ? true : nil)
    let report = try await service.ask { client throws(ClientError) in try await client.setMode(display, request) }
    guard let pending = report.pending, !output.json else {
      return try console.report(report, output) { _ in [report.modeLine] }
    }
    guard let terminal = try await console.openTerminal() else {
      try console.print(report.modeLine)
      return console.complain(
        "The mode is reverted at \(pending.until.utc). To keep it: placard mode \(display) --confirm")
    }
    let question = ModePrompt(client: try service.client, display: display, terminal: terminal)
    let answer = await question.ask(until: pending.until, now: WallClock.system().now)
    try console.print("\(report.modeLine)\n\(try await question.carryOut(answer))")
  }

  private static func list(_ report: DisplayReport, _ style: OutputStyle) -> [String] {
    let name = Table.printable(report.name)
    guard !report.modes.isEmpty else { return ["\(name): no modes are known; connect a monitor"] }
    let modes = report.modes.map { mode in
      mode == report.mode ? style.paint(Table.printable("* \(mode)"), .good) : Table.printable("  \(mode)")
    }
    let chosen = report.isChosen ? ["Set by a client; placard mode \(name) --reset restores the configuration."] : []
    return [report.modeLine] + modes + chosen
  }
}

extension DisplayReport {
  /// The display with its mode and rotation: `HDMI-A-1: 1920x1080@60, rotated by 90 degrees`.
  var modeLine: String {
    let turn = rotation == 0 ? "" : ", rotated by \(rotation) degrees"
    return Table.printable("\(name): \(mode ?? reason ?? "no mode")\(turn)")
  }
}

extension CompletionKind {
  /// The policies, and the modes of the display that the command line names.
  fileprivate static var modes: CompletionKind {
    .custom { words, _, _ in
      let policies = ["legible", "native", "halve-above-1080p"]
      guard let service = try? ServiceOptions.parse(Completions.serviceOptions(in: words)) else { return policies }
      let modes = await Completions.within(milliseconds: Completions.patience) {
        let reports = try? await service.askQuietly { client throws(ClientError) in try await client.displays() }
        return (reports ?? []).first { words.contains($0.name) }?.modes ?? []
      }
      return policies + modes
    }
  }
}
