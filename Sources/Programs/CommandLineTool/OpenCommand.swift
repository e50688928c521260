import ArgumentParser
import Control
import ControlClient
import JSON

struct OpenCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Opens a file on a display. The monitor keeps it, even on another port.",
    usage: """
      placard open [<options>] <file> [<display>]
      placard open [<options>] --entry <name> [<display>]
      placard open [<options>] --card <id> --from <session> [<display>]
      """,
    discussion: """
      The file's extension selects its kind: a scene document (.json), Markdown (.md) or an image (.png, .jpg), which \
      is uploaded. By default, the display is the one that shows the file already, then a free one.

      Examples:
        placard open departures.json HDMI-A-1
        placard open notes.md --tag notes
        placard open --entry menu HDMI-A-1
        placard open --card lift-2 --from HDMI-A-1 DP-1
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("The session's tag. An open session with this tag gets the new scene.", valueName: "tag"))
  var tag: String?

  @Option(help: ArgumentHelp("The name of a library entry.", valueName: "name"), completion: .entries)
  var entry: String?

  @Option(help: ArgumentHelp("The ID of a card on the board of --from.", valueName: "id"))
  var card: String?

  @Option(
    help: ArgumentHelp("The board's session, or its display.", valueName: "session"),
    completion: .sessions)
  var from: String?

  @Flag(name: .shortAndLong, help: "Wait until it is on screen, and print how long it took.")
  var wait = false

  @Argument(
    help: ArgumentHelp("The file, or - for a document on standard input, and the display.", valueName: "file|display"),
    completion: .file(extensions: ["json", "md", "markdown", "png", "jpg", "jpeg"]))
  var values: [String] = []

  private var takesFile: Bool { card == nil && entry == nil }
  private var file: String? { takesFile ? values.first : nil }
  private var display: String? { takesFile ? values.dropFirst().first : values.first }

  func validate() throws {
    if (card == nil) != (from == nil) { throw ValidationError("Give --card and --from together.") }
    if card != nil && entry != nil { throw ValidationError("Give --card or --entry, not both.") }
    if takesFile && values.isEmpty { throw ValidationError("Give a file, --entry, or --card and --from.") }
    let most = takesFile ? 2 : 1
    if values.count > most {
      throw ValidationError("Too many arguments: \(values.dropFirst(most).joined(separator: " ")).")
    }
  }

  func run(on console: any Console) async throws(Failure) {
    // If the service does not answer, fail before the user types any input.
    if file == "-" { _ = try await service.ask { client throws(ClientError) in try await client.status() } }
    let request = OpenRequest(scene: try await scene(console), display: display, tag: tag, wait: wait)
    let progress = wait ? "Waiting until it is on screen ..." : nil
    let report = try await console.showingProgress(progress) { () throws(Failure) in
      try await service.ask { client throws(ClientError) in try await client.open(request) }
    }
    try report.print(on: console, output, isAwaited: wait)
  }

  private func scene(_ console: any Console) async throws(Failure) -> JSONValue {
    if let entry { return SceneDocument.entry(entry) }
    if let file { return try await SceneFile.scene(file, to: service, console) }
    let id = card ?? ""
    let source = try await SessionChoice(text: from ?? "").report(service)
    guard let board = source.scene, let scene = SceneDocument.card(id, of: board) else {
      let known = source.scene.map(SceneDocument.cards) ?? []
      let list = known.isEmpty ? "it has no cards with ids" : "it has " + known.joined(separator: ", ")
      throw Failure(.refused, "there is no card \(id) on \(from ?? ""); \(list)")
    }
    return scene
  }
}

extension SessionReport {
  /// Prints which display has the session, and how its content was delivered.
  func print(on console: any Console, _ output: OutputOptions, isAwaited: Bool) throws(Failure) {
    let delivery = delivery ?? Delivery()
    guard !output.json else {
      try console.print(JSONText.pretty(self))
      return try delivery.check(isAwaited: isAwaited)
    }
    try console.print(Table.printable(line))
    try delivery.print(on: console, isAwaited: isAwaited)
  }

  /// The session in one line: `session 3 on HDMI-A-1: card, Lift 2`.
  var line: String {
    let place =
      display.map { monitor.isEmpty ? "waits for a monitor on \($0)" : "on \($0)" } ?? "waits for its monitor"
    let scene = [kind, summary].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    return "session \(id.map(String.init) ?? "-") \(place)" + (scene.isEmpty ? "" : ": \(scene)")
  }
}
