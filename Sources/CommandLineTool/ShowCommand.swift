import ArgumentParser
import Control
import ControlClient

struct ShowCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows a message, on all displays or on one.",
    discussion: """
      Examples:
        placard show Welcome, Ada!
        placard show --display HDMI-A-1 --wait "Room 2: Ada Lovelace"
        uptime | placard show -
        placard show --clear --display HDMI-A-1
      """)

  @OptionGroup var service: ServiceOptions

  @Option(name: .shortAndLong, help: ArgumentHelp("The display it is for; otherwise all.", valueName: "name"))
  var display: String?

  @Flag(name: .shortAndLong, help: "Return when it is on the glass, and say how long that took.")
  var wait = false

  @Flag(help: "Remove the message; a display then shows the one for all.")
  var clear = false

  @Argument(help: "The message, words with a space between them; - reads the standard input.")
  var text: [String] = []

  func validate() throws {
    if clear && !text.isEmpty { throw ValidationError("Give a text or --clear, not both.") }
    if clear && wait { throw ValidationError("--wait is for a text, not for --clear.") }
    if !clear && text.isEmpty { throw ValidationError("Give the text to show, - for the standard input, or --clear.") }
  }

  func run(on console: any Console) async throws(Failure) {
    guard !clear else {
      _ = try await service.ask { client throws(ClientError) in try await client.removeMessage(display) }
      return
    }
    // Before anything is read or typed: whoever waits for an input should know that somebody will take it.
    if text == ["-"] { _ = try await service.ask { client throws(ClientError) in try await client.status() } }
    let request = MessageRequest(text: try message(console), display: display, wait: wait)
    let report = try await service.ask { client throws(ClientError) in try await client.setMessage(request) }
    for warning in report.warnings { console.complain("warning: \(Table.printable(warning))") }
    if wait { try tell(report, console) }
  }

  /// The standard input's last line break is the shell's, not the message's.
  private func message(_ console: any Console) throws(Failure) -> String {
    guard text == ["-"] else { return text.joined(separator: " ") }
    guard let input = String(validating: try console.readInput(), as: UTF8.self) else {
      throw Failure(.refused, "The standard input is not UTF-8: convert it, for instance with iconv.")
    }
    return input.last?.isNewline == true ? String(input.dropLast()) : input
  }

  private func tell(_ report: MessageReport, _ console: any Console) throws(Failure) {
    for showing in report.shown {
      try console.print("\(Table.printable(showing.display)): shown after \(Tenths.text(showing.milliseconds)) ms")
    }
    guard report.notShown.isEmpty else {
      throw Failure(.refused, "not shown on " + report.notShown.map(Table.printable).joined(separator: "; "))
    }
    guard !report.shown.isEmpty else {
      throw Failure(.refused, "It is kept, but no display is lit to show it: see placard displays.")
    }
  }
}
