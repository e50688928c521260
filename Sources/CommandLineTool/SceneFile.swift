import Glibc
import JSON

/// Scenes from files.
enum SceneFile {
  /// The scene that a file holds, by its ending: a document in JSON, Markdown, or a picture. `-` is a document on the
  /// standard input.
  static func scene(_ path: String, _ console: any Console) throws(Failure) -> JSONValue {
    switch ending(of: path) {
    case "json": return try document(path, console)
    case "md", "markdown": return try markdown(path, console)
    case "png", "jpg", "jpeg": return SceneDocument.image(path: try absolute(path))
    case _ where path == "-": return try document(path, console)
    default:
      throw Failure(.refused, "\(path): what kind of scene is that? A scene's file ends in .json, .md, .png or .jpg.")
    }
  }

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
