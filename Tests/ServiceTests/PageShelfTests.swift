import ControlHTTP
import Testing

@testable import Service

/// What the control server serves besides the service's own resources.
struct PageShelfTests {
  @Test(arguments: [
    ("/", "text/html; charset=utf-8"), ("/page/app.js", "text/javascript; charset=utf-8"),
    ("/page/page.css", "text/css; charset=utf-8"), ("/v1/scene.schema.json", "application/schema+json"),
  ])
  func `The page and the schema of scenes have their paths`(path: String, type: String) throws {
    let document = try #require(PageShelf.document(at: path))
    #expect(document.type == type)
    #expect(!document.bytes.isEmpty)
  }

  @Test(arguments: ["/", "/page/app.js", "/page/page.css"])
  func `The page is there compressed, for slow links`(path: String) throws {
    let document = try #require(PageShelf.document(at: path))
    let gzip = try #require(document.gzip)
    #expect(gzip.starts(with: [0x1f, 0x8b, 8]))
    #expect(gzip.count * 3 < document.bytes.count, "\(gzip.count) of \(document.bytes.count) bytes")
  }

  @Test(arguments: [
    "", "/page", "/page/", "/page//app.js", "/app.js", "app.js", "/page/../app.js", "/v1/nothing", "/page/dom.js",
  ])
  func `Nothing else is served`(path: String) {
    #expect(PageShelf.document(at: path) == nil)
  }
}
