import ArgumentParser
import Control
import ControlClient

struct MessagesCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "messages",
    abstract: "Lists the messages that are shown or covered.",
    usage: "placard messages [<options>]",
    discussion: """
      Examples:
        placard messages
        placard messages --json
      """)

  @OptionGroup var service: ServiceOptions

  @OptionGroup var output: OutputOptions

  func run(on console: any Console) async throws(Failure) {
    let messages = try await service.ask { client throws(ClientError) in try await client.messages() }
    if output.json { return try console.print(JSONText.pretty(messages)) }
    let lines = Self.lines(messages, clock: .system(), console.style)
    try console.print(lines.joined(separator: "\n"))
  }

  static func lines(_ messages: [LiveMessage], clock: WallClock, _ style: OutputStyle) -> [String] {
    guard !messages.isEmpty else { return ["no messages; `placard show --priority 1 TEXT` posts one"] }
    let rows = messages.map { message in
      [
        "\(message.id)", message.name ?? "-", message.target, "\(message.priority)", end(of: message, clock),
        message.shown.isEmpty ? "-" : message.shown.joined(separator: ", "), message.summary,
      ]
    }
    let head = ["ID", "NAME", "FOR", "PRIORITY", "UNTIL", "SEEN ON", "SHOWS"]
    let table = Table(
      head: head, rows: rows, optional: ["PRIORITY", "FOR"], whole: ["ID", "NAME", "FOR"],
      wrapped: ["UNTIL", "SEEN ON", "SHOWS"], lists: ["UNTIL", "SEEN ON"])
    return table.lines(style)
  }

  private static func end(of message: LiveMessage, _ clock: WallClock) -> String {
    let time = message.expires.map { clock.short(milliseconds: $0.milliseconds) }
    return [message.acknowledge ? "`placard ack \(message.id)`" : nil, time].compactMap(\.self).joined(
      separator: " or ")
  }
}

struct AckCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "ack",
    abstract: "Confirms that a message was seen. A message sent with --ack then ends.",
    usage: "placard ack [<options>] <id>",
    discussion: """
      Example:
        placard ack 5
      """)

  @OptionGroup var service: ServiceOptions

  @Argument(help: "The message's ID, as placard messages lists it.", completion: .messages)
  var id: Int

  func run(on console: any Console) async throws(Failure) {
    try await service.ask { client throws(ClientError) in try await client.acknowledge(id) }
  }
}

struct WithdrawCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw",
    abstract: "Withdraws a message.",
    usage: "placard withdraw [<options>] <id>",
    discussion: """
      Example:
        placard withdraw 5
      """)

  @OptionGroup var service: ServiceOptions

  @Argument(help: "The message's ID, as placard messages lists it.", completion: .messages)
  var id: Int

  func run(on console: any Console) async throws(Failure) {
    try await service.ask { client throws(ClientError) in try await client.withdraw(id) }
  }
}
