import ArgumentParser
import Control
import ControlClient
import JSON

struct LibraryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library",
    abstract: "Lists and changes the library: scenes, playlists, schedules and calendars with names.",
    discussion: """
      A scene refers to a library entry by {"kind": "entry", "name": NAME}. `placard open --entry` and \
      `placard show --entry` show one.

      Examples:
        placard library
        placard library add menu menu.md --title "Menu of the day" --tag food
        placard library show menu > menu.json
        placard library edit menu menu.json
        placard library rename menu lunch
        placard library remove lunch
      """,
    subcommands: [List.self, Show.self, Add.self, Edit.self, Rename.self, Remove.self], defaultSubcommand: List.self)

  struct List: ToolCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the entries.", usage: "placard library list [<options>]",
      discussion: "Example:\n  placard library list --tag food")

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("List only the entries with this tag.", valueName: "tag"))
    var tag: String?

    func run(on console: any Console) async throws(Failure) {
      let all = try await service.ask { client throws(ClientError) in try await client.library() }
      let entries = all.filter { tag == nil || $0.tags.contains(tag ?? "") }
      try console.report(entries, output) { LibraryCommand.lines(entries, $0) }
    }
  }

  struct Show: ToolCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the scene of an entry; the revision goes to standard error.",
      usage: "placard library show [<options>] <name>", discussion: "Example:\n  placard library show menu")

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The entry's name.", completion: .entries)
    var name: String

    func run(on console: any Console) async throws(Failure) {
      let entry = try await service.ask { client throws(ClientError) in try await client.entry(name) }
      guard !output.json else { return try console.print(JSONText.pretty(entry)) }
      console.complain("revision \(Table.printable(entry.revision))")
      try console.print(JSONText.pretty(entry.scene ?? .null))
    }
  }

  struct Add: ToolCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds an entry with the scene of a file.",
      usage: "placard library add [<options>] <name> <file>",
      discussion: """
        The file's extension selects its kind, as for placard open: a scene document (.json), Markdown (.md), an \
        image (.png, .jpg), which is uploaded, or a calendar (.ics), whose events are shown while they take place.

        Examples:
          placard library add menu menu.md --title "Menu of the day" --tag food
          placard library add bookings bookings.ics
        """)

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var label: EntryLabel

    @Argument(help: "The new entry's name.")
    var name: String

    @Argument(
      help: "The scene: .json, .md, .png, .jpg or .ics; - for a document on standard input.",
      completion: .file(extensions: ["json", "md", "markdown", "png", "jpg", "jpeg", "ics"]))
    var file: String

    func run(on console: any Console) async throws(Failure) {
      let known = try await service.ask { client throws(ClientError) in try await client.library() }
      guard !known.contains(where: { $0.name == name }) else {
        throw Failure(
          .refused, "there is already a library entry \(name); `placard library edit \(name) FILE` replaces its scene")
      }
      if SceneFile.isCalendar(file) { return try await service.importEvents(file, name, label, output, console) }
      let scene = try await SceneFile.scene(file, to: service, console)
      let request = LibraryRequest(scene: scene, title: label.title, tags: label.tag.isEmpty ? nil : label.tag)
      let entry = try await service.ask { client throws(ClientError) in try await client.setEntry(name, request) }
      try entry.print(on: console, output)
    }
  }

  struct Edit: ToolCommand {
    static let configuration = CommandConfiguration(
      abstract: "Replaces an entry's scene, title or tags. Displays that show it are updated.",
      usage: "placard library edit [<options>] <name> [<file>]",
      discussion: """
        A calendar (.ics) replaces the events of an entry, and adds the entry if there is none.

        Examples:
          placard library edit menu menu.md --if-revision 9f86d081884c7d65
          placard library edit bookings bookings.ics
        """)

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var label: EntryLabel

    @Option(help: ArgumentHelp("Edit only if the entry has this revision.", valueName: "revision"))
    var ifRevision: String?

    @Argument(help: "The entry's name.", completion: .entries)
    var name: String

    @Argument(
      help: "The scene: .json, .md, .png, .jpg or .ics; - for a document on standard input.",
      completion: .file(extensions: ["json", "md", "markdown", "png", "jpg", "jpeg", "ics"]))
    var file: String?

    func validate() throws {
      if file == nil, label.title == nil, label.tag.isEmpty { throw ValidationError("Give a file, --title or --tag.") }
      if ifRevision != nil, let file, SceneFile.isCalendar(file) {
        throw ValidationError("--if-revision does not apply to a calendar, whose events are replaced as a whole.")
      }
    }

    func run(on console: any Console) async throws(Failure) {
      if let file, SceneFile.isCalendar(file) {
        return try await service.importEvents(file, name, label, output, console)
      }
      let known = try await service.ask { client throws(ClientError) in try await client.entry(name) }
      var scene = known.scene ?? .null
      if let file { scene = try await SceneFile.scene(file, to: service, console) }
      let request = LibraryRequest(
        scene: scene, title: label.title ?? known.title, tags: label.tag.isEmpty ? known.tags : label.tag)
      // What is not replaced was read just now, so that another client's change in between must not be lost.
      let entry = try await service.ask { client throws(ClientError) in
        try await client.setEntry(name, request, expecting: ifRevision ?? known.revision)
      }
      try entry.print(on: console, output)
    }
  }

  struct Rename: ToolCommand {
    static let configuration = CommandConfiguration(
      abstract: "Renames an entry, and all references to it.",
      usage: "placard library rename [<options>] <name> <new-name>",
      discussion: "Example:\n  placard library rename menu lunch")

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The entry's name.", completion: .entries)
    var name: String

    @Argument(help: ArgumentHelp("The new name.", valueName: "new-name"))
    var newName: String

    func run(on console: any Console) async throws(Failure) {
      let entry = try await service.ask { client throws(ClientError) in try await client.renameEntry(name, to: newName)
      }
      try entry.print(on: console, output)
    }
  }

  struct Remove: ToolCommand {
    static let configuration = CommandConfiguration(
      abstract: "Removes an entry that nothing refers to.",
      usage: "placard library remove [<options>] <name>", discussion: "Example:\n  placard library remove lunch")

    @OptionGroup var service: ServiceOptions

    @Argument(help: "The entry's name.", completion: .entries)
    var name: String

    func run(on console: any Console) async throws(Failure) {
      try await service.ask { client throws(ClientError) in try await client.removeEntry(name) }
    }
  }

  static func lines(_ entries: [LibraryReport], _ style: OutputStyle) -> [String] {
    guard !entries.isEmpty else { return ["the library is empty; `placard library add NAME FILE` adds an entry"] }
    let rows = entries.map { entry in
      [
        entry.name, entry.kind, entry.title ?? entry.summary,
        entry.tags.isEmpty ? "-" : entry.tags.joined(separator: ", "),
        entry.uses.isEmpty ? "-" : entry.uses.joined(separator: ", "),
      ]
    }
    let table = Table(
      head: ["NAME", "KIND", "TITLE", "TAGS", "USED BY"], rows: rows, optional: ["TAGS", "USED BY"], whole: ["NAME"],
      wrapped: ["TITLE", "USED BY"])
    return table.lines(style)
  }
}

/// The title and the tags of a library entry.
struct EntryLabel: ParsableArguments {
  @Option(help: ArgumentHelp("A title for people.", valueName: "title"))
  var title: String?

  @Option(help: ArgumentHelp("A word to find the entry by; can be repeated.", valueName: "tag"))
  var tag: [String] = []
}

extension ServiceOptions {
  /// Replaces the events of a calendar by those of a file, and its title and tags.
  fileprivate func importEvents(
    _ file: String, _ name: String, _ label: EntryLabel, _ output: OutputOptions, _ console: any Console
  ) async throws(Failure) {
    let bytes = try FileBytes.read(path: file, limit: SceneFile.maximumImageBytes)
    var entry = try await ask { client throws(ClientError) in try await client.setEvents(name, bytes) }
    if label.title != nil || !label.tag.isEmpty {
      let request = LibraryRequest(
        scene: entry.scene ?? .null, title: label.title ?? entry.title, tags: label.tag.isEmpty ? entry.tags : label.tag
      )
      let revision = entry.revision
      entry = try await ask { client throws(ClientError) in
        try await client.setEntry(name, request, expecting: revision)
      }
    }
    try entry.print(on: console, output)
  }
}

extension LibraryReport {
  /// Prints the entry in one line, and its warnings.
  fileprivate func print(on console: any Console, _ output: OutputOptions) throws(Failure) {
    guard !output.json else { return try console.print(JSONText.pretty(self)) }
    try console.print(Table.printable("\(name): \(kind), \(summary)"))
    for warning in warnings { console.complain("warning: \(Table.printable(warning))") }
  }
}

extension CompletionKind {
  /// The names of the library entries.
  static var entries: CompletionKind {
    names { client throws(ClientError) in try await client.library().map(\.name) }
  }
}
