import Control
import ControlClient
import Glibc
import JSON
import Primitives
import SystemCalls

/// Scenes that are read from files.
enum SceneFile {
  /// Returns the scene in a file, whose extension selects JSON, Markdown or an image.
  ///
  /// An image is uploaded, because the service reads no other files of this user.
  ///
  /// - Parameters:
  ///   - path: The file's path; `-` is a document on standard input.
  ///   - service: The service to which an image is uploaded.
  ///   - console: The source of standard input.
  /// - Throws: `Failure` if the file cannot be read or the service refuses it.
  /// - Returns: The scene's document.
  static func scene(
    _ path: String, to service: ServiceOptions, _ console: any Console
  ) async throws(Failure) -> JSONValue {
    switch ending(of: path) {
    case "json": return try document(path, console)
    case "md", "markdown": return try markdown(path, console)
    case "png", "jpg", "jpeg":
      let bytes = try FileBytes.read(path: path, limit: maximumImageBytes)
      let report = try await service.ask { client throws(ClientError) in
        try await client.addImage(bytes, file: fileName(path))
      }
      return SceneDocument.image(path: report.path)
    case _ where path == "-": return try document(path, console)
    default:
      throw Failure(.refused, "\(path): unknown kind of scene. Use a file that ends in .json, .md, .png or .jpg.")
    }
  }

  /// Returns whether a path is that of an iCalendar file.
  static func isCalendar(_ path: String) -> Bool { ending(of: path) == "ics" }

  /// Returns the last component of a path, or nil for standard input.
  static func fileName(_ path: String) -> String? {
    path == "-" ? nil : path.split(separator: "/").last.map(String.init)
  }

  /// The maximum size of an image in bytes, above the service's limit so that its refusal can state that limit.
  static let maximumImageBytes = 64 << 20

  /// Returns a scene's document in JSON; `-` is standard input.
  static func document(_ path: String, _ console: any Console) throws(Failure) -> JSONValue {
    let bytes = try bytes(path, console)
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      let reason = if case .dataCorrupted(let context) = error { context.debugDescription } else { "\(error)" }
      throw Failure(.refused, "\(name(path)) is not JSON: \(reason)")
    }
  }

  /// Returns a page of Markdown, whose images are relative to the file; `-` is standard input.
  static func markdown(_ path: String, _ console: any Console) throws(Failure) -> JSONValue {
    guard let text = String(validating: try bytes(path, console), as: UTF8.self) else {
      throw Failure(.refused, "\(name(path)) is not UTF-8: convert it, for example with iconv.")
    }
    return SceneDocument.markdown(text, folder: path == "-" ? nil : folder(of: try absolute(path)))
  }

  /// Returns the absolute path of a readable file.
  static func absolute(_ path: String) throws(Failure) -> String {
    guard unsafe access(path, R_OK) == 0 else { throw Failure(.refused, "\(path): \(ErrorNumber(errno)).") }
    // Symbolic links are not resolved, because their targets may change.
    if path.hasPrefix("/") { return path }
    guard let folder = unsafe getcwd(nil, 0) else {
      throw Failure(.refused, "\(path): the current directory is unknown: \(ErrorNumber(errno)).")
    }
    defer { unsafe free(folder) }
    return unsafe String(cString: folder) + "/" + path
  }

  /// Returns the message name under which each save of a file replaces the last.
  ///
  /// It consists of the file's name, as far as the service accepts it, and a hash of the absolute path. The hash
  /// distinguishes files in different directories.
  ///
  /// - Parameter path: The file's path.
  /// - Throws: `Failure` if the file cannot be read.
  /// - Returns: The name.
  static func followedName(of path: String) throws(Failure) -> String {
    let path = try absolute(path)
    let own = (path.split(separator: "/").last ?? "").prefix(40).map { letter in
      Completions.isOffered("a\(letter)") ? letter : "-"
    }
    return String(own) + "-" + String(FNV1a.hash(path.utf8), radix: 16)
  }

  /// Returns the directory of an absolute path.
  static func folder(of path: String) -> String {
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    return folder.isEmpty ? "/" : String(folder)
  }

  private static func bytes(_ path: String, _ console: any Console) throws(Failure) -> [UInt8] {
    path == "-" ? try console.readInput() : try FileBytes.read(path: path)
  }

  private static func name(_ path: String) -> String { path == "-" ? "Standard input" : path }

  private static func ending(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    return name.contains(".") ? name.split(separator: ".").last?.lowercased() : nil
  }
}
