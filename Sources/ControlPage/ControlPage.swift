/// The controller's web page: its files, as they are served.
public enum ControlPage {
  /// What is served for a path below `/page/`, or `index.html`; nil where there is no such file.
  ///
  /// - Parameter path: The file's name, `app.js`.
  /// - Returns: The media type, and the file's bytes.
  public static func file(_ path: String) -> (type: String, bytes: [UInt8])? {
    guard let type = type(of: path), let text = texts[path] else { return nil }
    return (type, Array(text.utf8))
  }

  /// The names of all files, sorted.
  public static var names: [String] { texts.keys.sorted() }

  private static let texts = Dictionary(
    EmbeddedFiles.all.map { ($0.name.description, $0.text.description) }, uniquingKeysWith: { first, _ in first })

  private static func type(of name: String) -> String? {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    case "webmanifest": "application/manifest+json"
    default: nil
    }
  }
}
