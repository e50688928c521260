import ArgumentParser
import Control
import ControlClient
import FastPath
import Glibc
import JSON

struct ShowCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows a text or a scene, on all displays or on some.",
    discussion: """
      The message covers the sessions of the displays until `placard clear` ends it. It replaces the last message: on \
      all displays, or on that of --display. With --role, --tag, --name, --priority, --for or --ack, it is added to \
      other messages: a display shows the one with the highest priority, among equals the newest. To show a file \
      permanently, use `placard open`.

      Examples:
        placard show Welcome, Ada!
        placard show --display HDMI-A-1 --wait "Room 2: Ada Lovelace"
        uptime | placard show -
        ping -O example.org | placard show --follow - --lines 3
        placard show --priority 50 --for 10m --ack "Fire drill at noon"
        placard show --markdown notes.md --follow
        placard show -d DP-1 --card "Lift 2" --content "Out of order"
        placard show --entry menu --for 1h
        placard show --clear --display HDMI-A-1
      """)

  @OptionGroup var service: ServiceOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The target display; by default all displays.", valueName: "name"),
    completion: .displays)
  var display: String?

  @Option(
    help: ArgumentHelp("Target the displays with this tag.", valueName: "tag"))
  var tag: String?

  @Flag(name: .shortAndLong, help: "Wait until it is on screen, and print how long it took.")
  var wait = false

  @Flag(
    help: ArgumentHelp(
      "Refuse it if a display would show it with a warning, or too small for its distance.",
      discussion: "The distance is set in the configuration of the service, like distance = \"6 m\"."))
  var requireReadable = false

  @Flag(help: "The same as `placard clear`.")
  var clear = false

  @Flag(
    help: ArgumentHelp(
      "With -, show the input's last line as it arrives. With --markdown, show the file again after each save.",
      discussion: "The last text stays, unless --clear-at-end is given."))
  var follow = false

  @Option(help: ArgumentHelp("With --follow -, show this number of last lines.", valueName: "number"))
  var lines: Int?

  @Flag(help: "With --follow -, remove the message at the end of the input or on Ctrl-C.")
  var clearAtEnd = false

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: "Scenes") var scene: SceneOptions
  @OptionGroup(title: "Messages beside others") var message: MessageOptions

  @Argument(help: "The text; words are joined by spaces. - reads standard input.")
  var text: [String] = []

  func validate() throws {
    let given = (text.isEmpty ? [] : ["a text"]) + scene.given + (clear ? ["--clear"] : [])
    guard given.count == 1 else {
      guard given.isEmpty else { throw ValidationError("Give only one of: " + given.joined(separator: ", ") + ".") }
      throw ValidationError(
        "Give the text to show, - for standard input, --scene, --markdown, --card, --entry or --clear.")
    }
    if clear && requireReadable { throw ValidationError("Give --require-readable or --clear, not both.") }
    if clear && wait { throw ValidationError("Give --wait or --clear, not both.") }
    if clear && (tag != nil || !message.isEmpty) {
      throw ValidationError("--clear takes only --display. To end another message: placard withdraw ID.")
    }
    if follow && text != ["-"] && (scene.markdown == nil || scene.markdown == "-") {
      throw ValidationError("--follow needs - (standard input), or --markdown with the name of a file.")
    }
    if (lines != nil || clearAtEnd) && !(follow && text == ["-"]) {
      throw ValidationError("--lines and --clear-at-end need --follow -.")
    }
    if let lines, !(1...1000).contains(lines) { throw ValidationError("--lines takes a number from 1 to 1000.") }
    if [display, message.role?.rawValue, tag].count(where: { $0 != nil }) > 1 {
      throw ValidationError("Give only one of --display, --role and --tag.")
    }
  }

  func run(on console: any Console) async throws(Failure) {
    guard !clear else {
      let report = try await service.ask { client throws(ClientError) in try await client.removeMessage(display) }
      return try report.print(on: console, output, none: ClearTexts.none(on: display.map(Table.printable)))
    }
    // If the service does not answer, fail before the user types any input.
    if text == ["-"] || scene.readsInput {
      _ = try await service.ask { client throws(ClientError) in try await client.status() }
    }
    let showing = try showing(console)
    if follow, let path = scene.markdown { return try await showing.follow(path, console) }
    guard !follow else {
      let follower = InputFollower(showing, lines: lines ?? 1, json: output.json, console)
      return try await follower.run(clears: clearAtEnd)
    }
    try await showing.show(content(console), console, json: output.json)
  }

  private func content(_ console: any Console) throws(Failure) -> Showing.Content {
    if let scene = try scene.document(console) { return .scene(scene) }
    return .text(try plainText(console))
  }

  /// Returns the text to show, without the line break that the shell adds to standard input.
  private func plainText(_ console: any Console) throws(Failure) -> String {
    text == ["-"] ? try console.readText() : text.joined(separator: " ")
  }

  /// Returns the request, in which followed content has a name from its file or process, so that each text replaces the
  /// last.
  private func showing(_ console: any Console) throws(Failure) -> Showing {
    let followed = try follow ? scene.markdown.map(SceneFile.followedName) ?? "input-\(getpid())" : nil
    var request = MessageRequest(display: display, wait: wait, requireReadable: requireReadable ? true : nil)
    guard message.isEmpty, tag == nil else {
      (request.role, request.tag) = (message.role, tag)
      (request.name, request.priority) = (message.name ?? followed, message.priority)
      (request.seconds, request.acknowledge) = (message.period?.seconds, message.ack ? true : nil)
      return Showing(client: try service.client, way: .post, request: request)
    }
    return Showing(client: try service.client, way: .set, request: request)
  }
}

/// The options for a scene instead of a text.
struct SceneOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A scene document in JSON; - is standard input.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var scene: String?

  @Option(
    help: ArgumentHelp("A page of Markdown; - is standard input.", valueName: "file"),
    completion: .file(extensions: ["md", "markdown"]))
  var markdown: String?

  @Option(help: ArgumentHelp("A card with this title.", valueName: "title"))
  var card: String?

  @Option(help: ArgumentHelp("The card's text.", valueName: "text"))
  var content: String?

  @Option(help: ArgumentHelp("The card's footer.", valueName: "text"))
  var footer: String?

  @Option(help: ArgumentHelp("The color of the card's edge.", valueName: "#rrggbb"))
  var accent: String?

  @Option(help: ArgumentHelp("A library entry.", valueName: "name"), completion: .entries)
  var entry: String?

  /// The options that select a scene.
  var given: [String] {
    [(scene, "--scene"), (markdown, "--markdown"), (card, "--card"), (entry, "--entry")].compactMap {
      $0.0 == nil ? nil : $0.1
    }
  }

  var readsInput: Bool { scene == "-" || markdown == "-" }

  func validate() throws {
    if card == nil && [content, footer, accent].contains(where: { $0 != nil }) {
      throw ValidationError("--content, --footer and --accent need --card.")
    }
  }

  /// Returns the scene, or nil if no option selects one.
  func document(_ console: any Console) throws(Failure) -> JSONValue? {
    if let entry { return SceneDocument.entry(entry) }
    if let scene { return try SceneFile.document(scene, console) }
    if let markdown { return try SceneFile.markdown(markdown, console) }
    return card.map { SceneDocument.card(title: $0, content: content, footer: footer, accent: accent) }
  }
}

/// The options for a message alongside others.
struct MessageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Target the internal or the external displays.", valueName: "role"),
    completion: .list(DisplayRole.allCases.map(\.rawValue)),
    transform: { try MessageRequest.word("--role", $0, of: "role") })
  var role: DisplayRole?

  @Option(help: ArgumentHelp("The message's name. It replaces the message with the same name.", valueName: "name"))
  var name: String?

  // The value may start with a minus, which does not mark an option here.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The priority, -100 to 100. Messages cover lower ones; sessions have 0.", valueName: "number"))
  var priority: Int?

  @Option(
    name: .customLong("for"), help: ArgumentHelp("How long the message lasts: 30s, 10m, 2h, 1d.", valueName: "time"),
    transform: { text in
      guard let period = Period(parsing: text) else {
        throw ValidationError("\(text) is not a duration: use 30s, 10m, 2h or 1d.")
      }
      return period
    })
  var period: Period?

  @Flag(help: "Keep the message until placard ack ID acknowledges it.")
  var ack = false

  /// Whether none of the options is given.
  var isEmpty: Bool { role == nil && name == nil && priority == nil && period == nil && !ack }

  func validate() throws {
    try MessageRequest.checkOption("--priority", priority, of: "priority")
  }
}
