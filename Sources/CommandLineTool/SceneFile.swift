import Control
import ControlClient
import Glibc
import JSON

/// Scenes from files.
enum SceneFile {
  /// Returns the scene that a file holds, by its ending: a document in JSON, Markdown, or a picture. A picture is uploaded,
  /// since the service reads no other files of this user.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is a document on the standard input.
  ///   - service: The service that a picture is uploaded to.
  ///   - console: Where the standard input is read.
  /// - Throws: `Failure` if the file cannot be read or the service refuses it.
  static func scene(
    _ path: String, to service: ServiceOptions, _ console: any Console
  ) async throws(Failure) -> JSONValue {
    switch ending(of: path) {
    case "json": return try document(path, console)
    case "md", "markdown": return try markdown(path, console)
    case "png", "jpg", "jpeg":
      let bytes = try FileBytes.read(path: path, limit: mostPictureBytes)
      let report = try await service.ask { client throws(ClientError) in
        try await client.addPicture(bytes, file: fileName(path))
      }
      return SceneDocument.image(path: report.path)
    case _ where path == "-": return try document(path, console)
    default:
      throw Failure(.refused, "\(path): what kind of scene is that? A scene's file ends in .json, .md, .png or .jpg.")
    }
  }

  /// The last part of a path; nil for the standard input.
  static func fileName(_ path: String) -> String? {
    path == "-" ? nil : path.split(separator: "/").last.map(String.init)
  }

  /// More than the service accepts of one picture, so that its refusal names its limit.
  static let mostPictureBytes = 64 << 20

  /// A scene's document in JSON; `-` is the standard input.
  static func document(_ path: String, _ console: any Console) throws(Failure) -> JSONValue {
    let bytes = try bytes(path, console)
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      let reason = if case .dataCorrupted(let context) = error { context.debugDescription } else { "\(error)" }
      throw Failure(.refused, "\(name(path)) is no JSON: \(reason)")
    }
  }

  /// A text in Markdown, whose pictures are looked for beside it; `-` is the standard input.
  static func markdown(_ path: String, _ console: any Console) throws(Failure) -> JSONValue {
    guard let text = String(validating: try bytes(path, console), as: UTF8.self) else {
      throw Failure(.refused, "\(name(path)) is not UTF-8: convert it, for instance with iconv.")
    }
    return SceneDocument.markdown(text, folder: path == "-" ? nil : folder(of: try absolute(path)))
  }

  /// The absolute path of a file that is there. Links are kept: what they name may change.
  static func absolute(_ path: String) throws(Failure) -> String {
    guard unsafe access(path, R_OK) == 0 else { throw Failure(.refused, "\(path): \(FileBytes.text(errno)).") }
    if path.hasPrefix("/") { return path }
    guard let folder = unsafe getcwd(nil, 0) else {
      throw Failure(.refused, "\(path): the current folder is not known: \(FileBytes.text(errno)).")
    }
    defer { unsafe free(folder) }
    return unsafe String(cString: folder) + "/" + path
  }

  /// The name under which a file is shown again when it is saved: the file's own name as far as the service accepts it, and
  /// a hash of the absolute path, so that files in different folders have different names.
  static func followedName(of path: String) throws(Failure) -> String {
    let path = try absolute(path)
    // FNV-1a
    let hash = path.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let own = (path.split(separator: "/").last ?? "").prefix(40).map { letter in
      Completions.isOffered("a\(letter)") ? letter : "-"
    }
    return String(own) + "-" + String(hash, radix: 16)
  }

  /// The folder of an absolute path.
  static func folder(of path: String) -> String {
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    return folder.isEmpty ? "/" : String(folder)
  }

  private static func bytes(_ path: String, _ console: any Console) throws(Failure) -> [UInt8] {
    path == "-" ? try console.readInput() : try FileBytes.read(path: path)
  }

  private static func name(_ path: String) -> String { path == "-" ? "The standard input" : path }

  private static func ending(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    return name.contains(".") ? name.split(separator: ".").last?.lowercased() : nil
  }
}
