import ControlHTTP
import Testing

@testable import Service

/// The documents that the control server serves besides the API.
struct PageCacheTests {
  @Test(arguments: [
    ("/", "text/html; charset=utf-8"), ("/page/app.js", "text/javascript; charset=utf-8"),
    ("/page/page.css", "text/css; charset=utf-8"), ("/v1/scene.schema.json", "application/schema+json"),
  ])
  func `the page and the scene schema are served at their paths`(path: String, type: String) throws {
    let document = try #require(StaticDocuments.document(at: path))
    #expect(document.type == type)
    #expect(!document.bytes.isEmpty)
  }

  @Test(arguments: ["/", "/page/app.js", "/page/page.css"])
  func `the page is also available compressed, for slow links`(path: String) throws {
    let document = try #require(StaticDocuments.document(at: path))
    let gzip = try #require(document.gzip)
    #expect(gzip.starts(with: [0x1f, 0x8b, 8]))
    #expect(gzip.count * 3 < document.bytes.count, "\(gzip.count) of \(document.bytes.count) bytes")
  }

  @Test(arguments: [
    "", "/page", "/page/", "/page//app.js", "/app.js", "app.js", "/page/../app.js", "/v1/nothing", "/page/dom.js",
  ])
  func `other paths are not served`(path: String) {
    #expect(StaticDocuments.document(at: path) == nil)
  }
}
