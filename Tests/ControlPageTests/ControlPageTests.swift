import ControlPage
import Testing

/// What can be told of the page without a browser.
struct ControlPageTests {
  private func text(_ name: String) throws -> String {
    let file = try #require(ControlPage.file(name), "\(name) is not there")
    return String(decoding: file.bytes, as: UTF8.self)
  }

  /// The names below `/page/` that a file mentions.
  private func mentioned(in text: String) -> Set<String> {
    Set(text.matches(of: /\/page\/([A-Za-z0-9._-]+)/).map { String($0.1) })
  }

  @Test func `Each file has a media type that browsers take`() throws {
    #expect(ControlPage.names.contains("index.html"))
    for name in ControlPage.names {
      let file = try #require(ControlPage.file(name), "\(name) has an ending that nobody knows")
      #expect(!file.bytes.isEmpty, "\(name)")
    }
    #expect(ControlPage.file("index.html")?.type == "text/html; charset=utf-8")
    #expect(ControlPage.file("app.js")?.type == "text/javascript; charset=utf-8")
  }

  @Test(arguments: ["", "..", "../README.md", "nothing.js", "INDEX.HTML"])
  func `What is not one of its files is nothing`(path: String) {
    #expect(ControlPage.file(path) == nil)
  }

  @Test func `All that the page refers to is there`() throws {
    for name in ControlPage.names {
      for other in mentioned(in: try text(name)) {
        #expect(ControlPage.file(other) != nil, "\(name) refers to /page/\(other)")
      }
    }
  }

  @Test func `Each module imports modules that are there`() throws {
    for name in ControlPage.names where name.hasSuffix(".js") {
      for line in try text(name).matches(of: /from "([^"]+)"/) {
        let path = String(line.1)
        #expect(path.hasPrefix("./"), "\(name) imports \(path)")
        #expect(ControlPage.file(String(path.dropFirst(2))) != nil, "\(name) imports \(path)")
      }
    }
  }

  @Test func `Each module and each file of the page is used`() throws {
    var used: Set = ["index.html"]
    var waiting = ["index.html"]
    while let name = waiting.popLast() {
      let text = try text(name)
      let imported = text.matches(of: /(?:from|import) ?\(?"\.\/([^"]+)"/).map { String($0.1) }
      for other in mentioned(in: text).union(imported) where used.insert(other).inserted { waiting.append(other) }
    }
    #expect(Set(ControlPage.names).subtracting(used) == [])
  }

  @Test func `A strict content security policy lets all of it through`() throws {
    let page = try text("index.html")
    #expect(page.contains("<script type=\"module\" src="))
    for match in page.matches(of: /<script[^>]*>([^<]*)</) {
      let isEmpty = match.1.allSatisfy(\.isWhitespace)
      #expect(isEmpty, "\(match.1)")
    }
    for banned in [" style=", "<style", " onclick=", " onload=", "javascript:", "http://", "https://"] {
      #expect(!page.contains(banned), "\(banned)")
    }
  }

  @Test func `No text is ever read as HTML or as code`() throws {
    for name in ControlPage.names where name.hasSuffix(".js") {
      let text = try text(name)
      for banned in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
        #expect(!text.contains(banned), "\(name): \(banned)")
      }
    }
  }

  @Test func `A module or a style sheet has at most 300 lines, the page itself 400`() throws {
    for name in ControlPage.names {
      let lines = try text(name).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= (name.hasSuffix(".html") ? 401 : 301), "\(name): is there a second noun in it?")
    }
  }
}
