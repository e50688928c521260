import ArgumentParser
import Control
import ControlClient

struct ImagesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "images",
    abstract: "Lists, adds and removes the images that the service stores for scenes.",
    discussion: """
      Examples:
        placard images
        placard images add poster.png
        placard images get poster.png copy.png
        placard images remove poster.png
      """,
    subcommands: [List.self, Add.self, Get.self, Remove.self], defaultSubcommand: List.self)

  struct List: ToolCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the images, newest first.", usage: "placard images list [<options>]",
      discussion: "Example:\n  placard images list")

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func run(on console: any Console) async throws(Failure) {
      let pictures = try await service.ask { client throws(ClientError) in try await client.images() }
      try console.report(pictures, output) { ImagesCommand.lines(pictures, clock: .system(), $0) }
    }
  }

  struct Add: ToolCommand {
    static let configuration = CommandConfiguration(
      abstract: "Uploads PNG or JPEG files, and prints their paths for scenes.",
      usage: "placard images add [<options>] <file> ...",
      discussion: "Example:\n  placard images add poster.png")

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    @Argument(
      help: ArgumentHelp("The files; - is standard input.", valueName: "file"),
      completion: .file(extensions: ["png", "jpg", "jpeg"]))
    var files: [String]

    func run(on console: any Console) async throws(Failure) {
      var reports: [ImageReport] = []
      for file in files {
        let bytes =
          file == "-" ? try console.readInput() : try FileBytes.read(path: file, limit: SceneFile.maximumImageBytes)
        console.progress("Uploading \(Table.printable(file)), \(ImagesCommand.size(bytes.count)) ...")
        defer { console.progress(nil) }
        let name = SceneFile.fileName(file)
        reports.append(
          try await service.ask { client throws(ClientError) in try await client.addImage(bytes, file: name) })
      }
      try console.report(reports, output) { _ in reports.map { Table.printable("\($0.name)  \($0.path)") } }
    }
  }

  struct Get: ToolCommand {
    static let configuration = CommandConfiguration(
      abstract: "Saves an image as a file.", usage: "placard images get [<options>] <name> <file>",
      discussion: "Example:\n  placard images get poster.png copy.png")

    @OptionGroup var service: ServiceOptions

    @Argument(help: "The image's name or file, as placard images lists it.", completion: .images)
    var name: String

    @Argument(
      help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"), completion: .file())
    var file: String

    func run(on console: any Console) async throws(Failure) {
      let bytes = try await service.ask { client throws(ClientError) in try await client.image(name) }
      if file == "-" { return try console.write(bytes) }
      try FileBytes.write(bytes, path: file)
    }
  }

  struct Remove: ToolCommand {
    static let configuration = CommandConfiguration(
      abstract: "Removes an image that no scene uses.", usage: "placard images remove [<options>] <name>",
      discussion: "Example:\n  placard images remove poster.png")

    @OptionGroup var service: ServiceOptions

    @Argument(help: "The image's name or file, as placard images lists it.", completion: .images)
    var name: String

    func run(on console: any Console) async throws(Failure) {
      try await service.ask { client throws(ClientError) in try await client.removeImage(name) }
    }
  }

  static func lines(_ pictures: [ImageReport], clock: WallClock, _ style: OutputStyle) -> [String] {
    guard !pictures.isEmpty else { return ["no images; `placard images add FILE` uploads one"] }
    let rows = pictures.map { picture in
      [
        picture.name, picture.file ?? "-", "\(picture.width)x\(picture.height)", size(picture.bytes),
        clock.text(milliseconds: picture.added.milliseconds), picture.path,
      ]
    }
    let table = Table(
      head: ["NAME", "FILE", "PIXELS", "SIZE", "ADDED", "PATH"], rows: rows,
      optional: ["PATH", "ADDED", "SIZE", "PIXELS"], whole: ["NAME", "FILE", "ADDED", "PATH"])
    return table.lines(style)
  }

  /// Returns a number of bytes for people: `1.5 MiB`.
  static func size(_ bytes: Int) -> String {
    if bytes < 1024 { return "\(bytes) B" }
    return bytes < 1 << 20
      ? "\(Tenths.text(Double(bytes) / 1024)) KiB" : "\(Tenths.text(Double(bytes) / 1_048_576)) MiB"
  }
}

extension CompletionKind {
  /// The names of uploaded images.
  fileprivate static var images: CompletionKind {
    names { client throws(ClientError) in
      try await client.images().flatMap { [$0.name, $0.file].compactMap(\.self) }
    }
  }
}
