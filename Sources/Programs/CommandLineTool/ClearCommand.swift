import ArgumentParser
import Control
import ControlClient
import FastPath

struct ClearCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Ends the message that `placard show` sent, and shows what it covered.",
    usage: "placard clear [<options>]",
    discussion: """
      Without an option, it ends the message for all displays. Messages from other senders stay, and are listed if a \
      display shows one. Sessions stay open: `placard close` ends one. An ended message cannot be restored: send it \
      again.

      Examples:
        placard clear
        placard clear --display HDMI-A-1
        placard clear --all
      """)

  @OptionGroup var service: ServiceOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("End the message for this display.", valueName: "name"),
    completion: .displays)
  var display: String?

  @Flag(help: "End all messages, from all senders.")
  var all = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if all && display != nil { throw ValidationError("Give --all or --display, not both.") }
  }

  func run(on console: any Console) async throws(Failure) {
    let report = try await service.ask { client throws(ClientError) in
      if all { try await client.removeAllMessages() } else { try await client.removeMessage(display) }
    }
    let none = all ? ClearTexts.noneAtAll : ClearTexts.none(on: display.map(Table.printable))
    try report.print(on: console, output, none: none)
  }
}

extension ClearReport {
  /// Prints what was removed, and the messages that displays still show.
  func print(on console: any Console, _ output: OutputOptions, none: String) throws(Failure) {
    try console.report(self, output) { _ in lines(none: none, clock: .system()) }
  }

  /// Returns the lines of the text output.
  ///
  /// - Parameters:
  ///   - none: The line for a report in which nothing was removed.
  ///   - clock: The clock and time zone for the times.
  /// - Returns: The lines without line breaks.
  func lines(none: String, clock: WallClock) -> [String] {
    var lines = removed.map { ClearTexts.ended($0.id, Table.printable($0.summary)) }
    if removed.isEmpty { lines.append(none) }
    for message in remaining {
      let names = message.displays.map(Table.printable).joined(separator: ", ")
      let end =
        message.expires.map { " until \(clock.short(milliseconds: $0.milliseconds))" }
        ?? (message.acknowledge ? " until `placard ack \(message.id)`" : "")
      lines.append(
        "\(names) still show\(message.displays.count == 1 ? "s" : "") message \(message.id)\(end): "
          + Table.printable(message.summary))
    }
    if !remaining.isEmpty { lines.append("`placard withdraw ID` ends one, `placard clear --all` ends all") }
    return lines
  }
}
