import ArgumentParser
import Bridge
import Configuration
import Glibc
import JSON
import MQTT

struct Fleet: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Works with all boxes of a broker.",
    discussion: """
      Boxes are chosen by expressions of tag:, site:, node:, state:, monitor: and version:, with and, or, not and \
      parentheses. A * at the end of a value stands for any text.

      Examples:
        placard-mqtt fleet list --broker broker.example
        placard-mqtt fleet show --broker broker.example "tag:lobby and not site:berlin" "Closed today"
      """, subcommands: [List.self, Show.self, Desire.self, Proof.self, Watch.self])
}

/// The options of all commands of a fleet.
struct FleetOptions: ParsableArguments {
  @OptionGroup var login: BrokerOptions

  @Option(
    help: ArgumentHelp(
      "A name under which the broker keeps proofs for this command while it does not run.", valueName: "name"))
  var session: String?

  /// Runs a command; an error is printed, and ends the process with status 1.
  func run(_ command: @escaping @Sendable (inout FleetTool) async throws -> Void) throws {
    var choices = BridgeSetup.Choices()
    choices.texts = login.texts
    choices.texts["node"] = "fleet"
    do {
      let settings = try BridgeSettings.parse(choices.file, name: "the command line", hostName: "fleet")
      var options = BridgeProgram.options(settings)[0]
      options.client = session.map { "placard-fleet-\($0)" } ?? "placard-fleet-\(UInt64.random(in: .min ... .max))"
      options.isClean = session == nil
      options.largest = 4 << 20
      try FleetTool.run(options, print: { PlacardMQTT.write("\($0)\n", to: STDOUT_FILENO) }, command: command)
    } catch let error as ExitCode {
      throw error
    } catch {
      PlacardMQTT.complain("error: \(error)")
      throw ExitCode(1)
    }
  }

  static func expression(_ text: String) throws -> FleetExpression {
    do {
      return try FleetExpression(parsing: text)
    } catch {
      throw ValidationError("\(error).")
    }
  }
}

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists boxes with their displays and problems.",
    discussion: """
      Examples:
        placard-mqtt fleet list --broker broker.example
        placard-mqtt fleet list --broker broker.example "state:offline or state:degraded"
      """)

  @OptionGroup var fleet: FleetOptions

  @Flag(help: "Print JSON.")
  var json = false

  @Argument(help: "The choice of boxes (default: all).")
  var boxes = "all"

  func run() throws {
    let expression = try FleetOptions.expression(boxes)
    let isJSON = json
    try fleet.run { tool in try await tool.list(expression, isJSON: isJSON) }
  }
}

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows a message on all displays of boxes, and prints who has it on screen.",
    discussion: """
      The exit status is 1 unless every display shows it.

      Examples:
        placard-mqtt fleet show --broker broker.example all "Fire drill at 10:00" --priority 50 --for 20m
        placard-mqtt fleet show --broker broker.example tag:lobby "Closed today"
      """)

  @OptionGroup var fleet: FleetOptions

  @Argument(help: "The choice of boxes.")
  var boxes: String

  @Argument(help: "The text.")
  var text: String

  @Option(help: "The priority, -100 to 100; higher covers lower.")
  var priority: Int?

  @Option(
    name: .customLong("for"), help: "How long it is shown: 90s, 10m, 2h or 1d. A box that is away longer skips it.")
  var duration: String?

  @Option(help: "The name; a message replaces an earlier one of the same name.")
  var name: String?

  @Option(help: "The time to wait for answers, in seconds.")
  var timeout = 10.0

  func run() throws {
    let expression = try FleetOptions.expression(boxes)
    let seconds = try duration.map(Self.seconds)
    var message: [String: JSONValue] = ["text": .string(text)]
    if let priority { message["priority"] = .number("\(priority)") }
    if let seconds { message["seconds"] = .number("\(seconds)") }
    if let name { message["name"] = .string(name) }
    let expires = seconds.map { Int64(time(nil) + $0) * 1000 }
    let (limit, body) = (min(max(timeout, 0.1), 86_400), message)
    try fleet.run { tool in
      let isShown = try await tool.show(expression, body, expires: expires, limit: limit)
      if !isShown { throw ExitCode(1) }
    }
  }

  private static func seconds(_ text: String) throws -> Int {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()), (1...36_500).contains(number)
    else { throw ValidationError("--for is \(text): write a number and a unit, such as 90s, 10m, 2h or 1d.") }
    return number * unit
  }
}

struct Desire: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "desired",
    abstract: "Prints the desired state of boxes, or changes it.",
    discussion: """
      A change is for all chosen boxes; one with --override is for those boxes alone, and later changes for groups do \
      not hide it. A path is one of the interface, and its value the JSON that PUT sends there.

      Examples:
        placard-mqtt fleet desired --broker broker.example node:lobby
        placard-mqtt fleet desired --broker broker.example tag:shop --set '/v1/message={"text": "Sale"}'
        placard-mqtt fleet desired --broker broker.example node:lobby --override --remove /v1/message
      """)

  @OptionGroup var fleet: FleetOptions

  @Argument(help: "The choice of boxes.")
  var boxes = "all"

  @Option(help: ArgumentHelp("A path with its value; may be repeated.", valueName: "path=json"))
  var set: [String] = []

  @Option(help: ArgumentHelp("A path whose content boxes remove; may be repeated.", valueName: "path"))
  var remove: [String] = []

  @Option(help: ArgumentHelp("A path that the state no longer has; may be repeated.", valueName: "path"))
  var forget: [String] = []

  @Flag(help: "Change what belongs to the chosen boxes alone.")
  var override = false

  @Option(help: "The time to wait for the boxes, in seconds.")
  var timeout = 10.0

  func run() throws {
    let expression = try FleetOptions.expression(boxes)
    var change = DesiredChange()
    change.isOverride = override
    change.forgotten = forget
    for entry in set {
      let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, parts[0].hasPrefix("/v1/"), let value = try? JSONValue(parsing: parts[1].utf8) else {
        throw ValidationError("--set is \(entry): write a path and JSON, such as '/v1/message={\"text\": \"Hello\"}'.")
      }
      change.bodies[parts[0]] = value
    }
    for path in remove { change.bodies[path] = .null }
    let (wanted, limit) = (change, min(max(timeout, 0.1), 86_400))
    let isQuery = set.isEmpty && remove.isEmpty && forget.isEmpty
    try fleet.run { tool in
      if isQuery { return try await tool.desired(expression) }
      let isApplied = try await tool.desire(expression, wanted, limit: limit)
      if !isApplied { throw ExitCode(1) }
    }
  }
}

struct Proof: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints what displays show, as JSON in one line for each change.",
    discussion: """
      With --session, the broker keeps what happens while the command does not run.

      Examples:
        placard-mqtt fleet proof --broker broker.example --session audit tag:shop >>proofs.jsonl
      """)

  @OptionGroup var fleet: FleetOptions

  @Argument(help: "The choice of boxes.")
  var boxes = "all"

  @Option(help: "The number of lines after which the command ends (default: never).")
  var count: Int?

  func run() throws {
    let expression = try FleetOptions.expression(boxes)
    let count = count
    try fleet.run { tool in try await tool.proof(expression, count: count) }
  }
}

struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints a line for each change of a box or a display.",
    discussion: """
      Examples:
        placard-mqtt fleet watch --broker broker.example site:berlin
      """)

  @OptionGroup var fleet: FleetOptions

  @Argument(help: "The choice of boxes.")
  var boxes = "all"

  @Option(help: "The number of lines after which the command ends (default: never).")
  var count: Int?

  func run() throws {
    let expression = try FleetOptions.expression(boxes)
    let count = count
    try fleet.run { tool in try await tool.watch(expression, count: count) }
  }
}
