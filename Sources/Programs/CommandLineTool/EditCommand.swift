import ArgumentParser
import Control
import ControlClient

struct EditCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Replaces a session's scene; without a file, prints the scene.",
    usage: "placard edit [<options>] <session> [<file>]",
    discussion: """
      The session keeps its scroll position. The revision is printed to standard error; with --if-revision, the edit \
      is refused if the scene has changed since.

      Examples:
        placard edit 3 > scene.json
        placard edit 3 scene.json --if-revision 9f86d081884c7d65
        placard edit HDMI-A-1 notes.md
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("Edit only if the scene has this revision.", valueName: "revision"))
  var ifRevision: String?

  @Argument(help: "The session's ID, as placard sessions lists it, or its display.", completion: .sessions)
  var session: String

  @Argument(
    help: "The scene: .json, .md, .png or .jpg; - for a document on standard input.",
    completion: .file(extensions: ["json", "md", "markdown", "png", "jpg", "jpeg"]))
  var file: String?

  func run(on console: any Console) async throws(Failure) {
    let report = try await SessionChoice(text: session).report(service)
    guard let id = report.id, let scene = report.scene else {
      throw Failure(.refused, SessionChoice(text: session).none)
    }
    guard let file else {
      console.complain("revision \(Table.printable(report.revision ?? "-"))")
      return try console.print(output.json ? JSONText.pretty(report) : JSONText.pretty(scene))
    }
    let edit = SceneEdit(scene: try await SceneFile.scene(file, to: service, console), expecting: ifRevision)
    let edited = try await service.ask { client throws(ClientError) in try await client.edit(id, edit) }
    try edited.print(on: console, output, isAwaited: false)
  }
}
