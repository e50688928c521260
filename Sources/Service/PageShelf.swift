import ControlHTTP
import ControlPage
import Scenes

/// What is served besides the service's own resources: the controller's page, and what scenes may be.
enum PageShelf {
  /// The document of a path; nil where there is none.
  @Sendable static func document(at path: String) -> ServedDocument? {
    if path == "/v1/scene.schema.json" { return ServedDocument(json: Scene.schema, type: "application/schema+json") }
    let name = path == "/" ? "index.html" : path.dropFirst(path.hasPrefix("/page/") ? "/page/".count : path.count)
    return ControlPage.file(String(name)).map { ServedDocument(type: $0.type, bytes: $0.bytes, gzip: $0.gzip) }
  }
}
