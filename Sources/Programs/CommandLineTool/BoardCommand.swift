import ArgumentParser
import Control
import ControlClient
import JSON

struct BoardCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board",
    abstract: "Shows and sets the controller's board, and opens its cards on displays.",
    discussion: """
      Examples:
        placard board
        placard board --json > board.json
        placard board board.json
        placard board open lift-2 HDMI-A-1
        placard board close lift-2
      """,
    subcommands: [Show.self, Open.self, Close.self], defaultSubcommand: Show.self)

  struct Show: ToolCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the board; with a file, replaces its content.",
      usage: "placard board [<options>] [<file>]",
      discussion: """
        The file is a scene of kind board, or the output of placard board --json. That output contains the revision: \
        the edit is refused if the board has changed since, as with --if-revision.

        Example:
          placard board board.json
        """)

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Edit only if the board has this revision.", valueName: "revision"))
    var ifRevision: String?

    @Argument(
      help: "The board's document; - is standard input.", completion: .file(extensions: ["json"]))
    var file: String?

    func run(on console: any Console) async throws(Failure) {
      let edit = try edit(console)
      let report = try await service.ask { client throws(ClientError) in
        if let edit { return try await client.setBoard(edit) }
        return try await client.board()
      }
      try console.report(report, output) { BoardCommand.lines(report, $0) }
    }

    private func edit(_ console: any Console) throws(Failure) -> SceneEdit? {
      guard let file else { return nil }
      let document = try SceneFile.document(file, console)
      let isReport = document["kind"] == nil
      return SceneEdit(
        scene: isReport ? document["board"] ?? document : document,
        expecting: ifRevision ?? (isReport ? document["revision"]?.text : nil))
    }
  }

  struct Open: ToolCommand {
    static let configuration = CommandConfiguration(
      abstract: "Opens a card on a display, or moves it there.",
      usage: "placard board open [<options>] <card> [<display>]",
      discussion: "Example:\n  placard board open lift-2 HDMI-A-1")

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    @Flag(name: .shortAndLong, help: "Wait until it is on screen, and print how long it took.")
    var wait = false

    @Argument(help: "The card's ID, as placard board prints it.", completion: .cards)
    var card: String

    @Argument(help: "The display; by default the one that shows the card, then a free one.", completion: .displays)
    var display: String?

    func run(on console: any Console) async throws(Failure) {
      let board = try await service.ask { client throws(ClientError) in try await client.board().board }
      guard let scene = SceneDocument.card(card, of: board) else {
        let known = SceneDocument.cards(of: board)
        let list = known.isEmpty ? "it has no cards" : "it has " + known.joined(separator: ", ")
        throw Failure(.refused, "there is no card \(card) on the board; \(list)")
      }
      let request = OpenRequest(scene: scene, display: display, tag: "card:\(card)", wait: wait)
      let report = try await console.showingProgress("Waiting until it is on screen ...") { () throws(Failure) in
        try await service.ask { client throws(ClientError) in try await client.open(request) }
      }
      try report.print(on: console, output, isAwaited: wait)
    }
  }

  struct Close: ToolCommand {
    static let configuration = CommandConfiguration(
      abstract: "Closes a card that is open on a display.",
      usage: "placard board close [<options>] <card>", discussion: "Example:\n  placard board close lift-2")

    @OptionGroup var service: ServiceOptions

    @Argument(help: "The card's ID, as placard board prints it.", completion: .cards)
    var card: String

    func run(on console: any Console) async throws(Failure) {
      let open = try await service.ask { client throws(ClientError) in try await client.board().open }
      let sessions = open.filter { $0.card == card }.map(\.session)
      guard !sessions.isEmpty else {
        throw Failure(.refused, "the card \(card) is not open on a display; `placard board` lists the cards")
      }
      // A service of an earlier version may have opened the card on several displays.
      for session in sessions {
        try await service.ask { client throws(ClientError) in try await client.close(session) }
      }
    }
  }

  static func lines(_ report: BoardReport, _ style: OutputStyle) -> [String] {
    let columns = report.board["columns"]?.elements ?? []
    guard !columns.isEmpty else { return ["the board is empty; `placard board FILE` sets its columns and cards"] }
    let rows = columns.flatMap { column in
      (column["cards"]?.elements ?? []).map { card -> [String] in
        let id = card["id"]?.text ?? "-"
        let places = report.open.filter { $0.card == id }.map { $0.display ?? "(waits for its monitor)" }
        let place = places.isEmpty ? "-" : places.joined(separator: ", ")
        return [column["title"]?.text ?? "-", id, card["title"]?.text ?? "-", place]
      }
    }
    let table = Table(
      head: ["COLUMN", "CARD", "TITLE", "OPEN ON"], rows: rows, colors: [3: { $0 == "-" ? nil : .good }],
      whole: ["CARD", "OPEN ON"], wrapped: ["COLUMN", "TITLE"])
    return table.lines(style)
  }
}

extension CompletionKind {
  /// The IDs of the board's cards.
  fileprivate static var cards: CompletionKind {
    names { client throws(ClientError) in SceneDocument.cards(of: try await client.board().board) }
  }
}
