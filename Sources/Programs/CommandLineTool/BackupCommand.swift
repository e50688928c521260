import ArgumentParser
import Control
import ControlClient
import JSON

/// The file of `placard backup`: the service's backup and the files of its images.
enum BackupFile {
  /// The maximum size, in bytes.
  static let limit = 512 << 20

  /// Returns a number with its noun; without a plural, that is the noun with an s.
  static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// Returns the file's content.
  static func encode(_ backup: JSONValue, images: [JSONValue]) -> [UInt8] {
    Array(JSONValue.object(["backup": backup, "images": .array(images)]).encoded)
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file's path; `-` is standard input.
  ///   - console: The source of standard input.
  /// - Throws: `Failure` if the file cannot be read or is not a backup.
  /// - Returns: The service's backup, and the files of images with their names.
  static func read(
    _ path: String, _ console: any Console
  ) throws(Failure) -> (backup: JSONValue, images: [(name: String, file: String?, bytes: [UInt8])]) {
    let bytes = path == "-" ? try console.readInput() : try FileBytes.read(path: path, limit: limit)
    guard let document = try? JSONValue(parsing: bytes), let backup = document["backup"],
      let parts = document["images"]?.elements
    else {
      throw Failure(.refused, "\(path) is not a file of `placard backup`, or it is damaged; use another copy")
    }
    var images: [(name: String, file: String?, bytes: [UInt8])] = []
    for part in parts {
      guard let name = part["name"]?.text, let bytes = part["data"]?.text.flatMap(Base64.decode) else {
        throw Failure(.refused, "\(path) is damaged: an image cannot be read; use another copy")
      }
      images.append((name, part["file"]?.text, bytes))
    }
    return (backup, images)
  }
}

struct BackupCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Saves the library, the board, stored values, sessions, messages and images as one file.",
    usage: "placard backup [<options>] <file>",
    discussion: """
      The file also contains the known monitors and what they show. It does not contain the configuration file.

      Examples:
        placard backup lobby.backup
        placard backup - | ssh store "cat > lobby.backup"
      """)

  @OptionGroup var service: ServiceOptions

  @Argument(help: "The file to write; - is standard output.", completion: .file())
  var file: String

  func run(on console: any Console) async throws(Failure) {
    let (backup, list) = try await service.ask { client throws(ClientError) in
      (try await client.backup(), try await client.images())
    }
    var images: [JSONValue] = []
    for image in list {
      console.progress("Reading \(Table.printable(image.file ?? image.name)) ...")
      defer { console.progress(nil) }
      let bytes = try await service.ask { client throws(ClientError) in try await client.image(image.name) }
      images.append([
        "name": .string(image.name), "file": image.file.map { .string($0) } ?? .null,
        "data": .string(Base64.encode(bytes)),
      ])
    }
    let bytes = BackupFile.encode(backup, images: images)
    if file == "-" { return try console.write(bytes) }
    try FileBytes.write(bytes, path: file)
    let records = backup["records"]?.elements?.count ?? 0
    let counts = "\(BackupFile.count(records, "object")) and \(BackupFile.count(images.count, "image"))"
    try console.print("\(Table.printable(file)): \(counts), \(ImagesCommand.size(bytes.count))")
  }
}

struct RestoreCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replaces the library, the board, stored values, sessions and messages by those of a backup.",
    usage: "placard restore [<options>] <file>",
    discussion: """
      A backup of a newer Placard or a damaged one is refused, and nothing is changed. Images are added to those of this \
      machine.

      Examples:
        placard restore --dry-run lobby.backup
        placard restore lobby.backup
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Check the backup only, and change nothing.")
  var dryRun = false

  @Argument(help: "The file of placard backup; - is standard input.", completion: .file())
  var file: String

  func run(on console: any Console) async throws(Failure) {
    let (backup, images) = try BackupFile.read(file, console)
    // What cannot be restored is refused before the first image is uploaded.
    var report = try await service.ask { client throws(ClientError) in
      try await client.restore(backup, isTrial: true)
    }
    let carried = Set(images.map(\.name))
    if !dryRun {
      for image in images where report.missingImages.contains(image.name) {
        console.progress("Uploading \(Table.printable(image.file ?? image.name)) ...")
        defer { console.progress(nil) }
        _ = try await service.ask { client throws(ClientError) in
          try await client.addImage(image.bytes, file: image.file)
        }
      }
      report = try await service.ask { client throws(ClientError) in
        try await client.restore(backup, isTrial: false)
      }
    }
    try console.report(report, output) { _ in Self.lines(report, carried) }
  }

  static func lines(_ report: RestoreReport, _ carried: Set<String>) -> [String] {
    let counts = [
      BackupFile.count(report.entries, "library entry", "library entries"),
      BackupFile.count(report.sessions, "session"),
      BackupFile.count(report.messages, "message"), BackupFile.count(report.monitors, "monitor"),
    ].joined(separator: ", ")
    let missing = report.missingImages.filter { !carried.contains($0) || report.restored }
    return [report.restored ? "restored: \(counts)" : "can be restored: \(counts); nothing was changed"]
      + missing.map { "missing image: \(Table.printable($0))" }
  }
}
