import ControlHTTP
import ControlPage
import Scenes

/// The static documents that are served in addition to the API: the control page and the scene schema.
enum StaticDocuments {
  /// Returns the document at a path, or nil if there is none.
  @Sendable static func document(at path: String) -> ServedDocument? {
    if path == "/v1/scene.schema.json" { return ServedDocument(json: Scene.schema, type: "application/schema+json") }
    let name = path == "/" ? "index.html" : path.dropFirst(path.hasPrefix("/page/") ? "/page/".count : path.count)
    return ControlPage.file(String(name)).map { ServedDocument(type: $0.type, bytes: $0.bytes, gzip: $0.gzip) }
  }
}
