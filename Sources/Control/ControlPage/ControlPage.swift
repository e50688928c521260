/// The files of the control page, as the service sends them.
package enum ControlPage {
  /// A file of the page.
  package struct File: Sendable {
    /// The media type, such as `text/html; charset=utf-8`.
    package let type: String
    /// The content.
    package let bytes: [UInt8]
    /// The content in gzip format.
    package let gzip: [UInt8]
  }

  /// Returns a file of the page.
  ///
  /// - Parameter path: The file's path below `/page/`, such as `app.js`, or `index.html`.
  /// - Returns: The file; nil if the page does not have it.
  package static func file(_ path: String) -> File? {
    guard let type = type(of: path), let found = files[path] else { return nil }
    let gzip = found.gzip.description.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    return File(type: type, bytes: Array(found.text.description.utf8), gzip: gzip)
  }

  /// The names of all files, sorted.
  package static var names: [String] { files.keys.sorted() }

  private static let files = Dictionary(
    EmbeddedFiles.all.map { ($0.name.description, (text: $0.text, gzip: $0.gzip)) },
    uniquingKeysWith: { first, _ in first })

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
