import ControlPage
import FoundationEssentials
import Testing

/// What can be told of the page without a browser: of its sources, and of what they are joined to.
struct ControlPageTests {
  private func text(_ name: String) throws -> String {
    let file = try #require(ControlPage.file(name), "\(name) is not there")
    return String(decoding: file.bytes, as: UTF8.self)
  }

  /// The names below `/page/` that a file mentions.
  private func mentioned(in text: String) -> Set<String> {
    Set(text.matches(of: /\/page\/([A-Za-z0-9._-]+)/).map { String($0.1) })
  }

  /// The files as they are written, by name.
  private static let sources: [String: String] = {
    let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Sources/ControlPage/Files"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.reduce(into: [:]) { files, name in
      files[name] = (try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }()

  @Test func `Each file has a media type that browsers take`() throws {
    #expect(ControlPage.names.contains("index.html"))
    for name in ControlPage.names {
      let file = try #require(ControlPage.file(name), "\(name) has an ending that nobody knows")
      #expect(!file.bytes.isEmpty, "\(name)")
    }
    #expect(ControlPage.file("index.html")?.type == "text/html; charset=utf-8")
    #expect(ControlPage.file("app.js")?.type == "text/javascript; charset=utf-8")
  }

  @Test(arguments: ["", "..", "../README.md", "nothing.js", "INDEX.HTML", "dom.js", "tokens.css"])
  func `What is not one of its files is nothing`(path: String) {
    #expect(ControlPage.file(path) == nil)
  }

  @Test func `A browser needs one program and one style sheet`() throws {
    #expect(ControlPage.names == ["app.js", "icon.svg", "index.html", "page.css", "placard.webmanifest"])
    let page = try text("index.html")
    #expect(page.matches(of: /rel="stylesheet"/).count == 1)
    #expect(page.matches(of: /<script/).count == 1)
    #expect(mentioned(in: page) == ["app.js", "icon.svg", "page.css", "placard.webmanifest"])
  }

  @Test func `Each module is in the program once, behind those that it imports`() throws {
    let program = try text("app.js")
    for (name, source) in Self.sources where name.hasSuffix(".js") {
      let constant = constant(name)
      let starts = program.ranges(of: "const \(constant) = (() => {\n")
      #expect(starts.count == 1, "\(name)")
      for line in source.matches(of: /import \{.*\} from "\.\/([^"]+)"/) {
        let other = try #require(program.firstRange(of: "const \(self.constant(String(line.1))) = (() => {\n"))
        #expect(other.lowerBound < starts[0].lowerBound, "\(name) is before \(line.1)")
      }
    }
    #expect(program.matches(of: /(?m)^(import|export)\b/).isEmpty)
  }

  private func constant(_ name: String) -> String {
    "$" + name.dropLast(3).map { $0 == "-" ? "_" : String($0) }.joined()
  }

  @Test func `Each style sheet is in the joined one, in the order of the page`() throws {
    let style = try text("page.css")
    let page = try #require(Self.sources["index.html"])
    var end = style.startIndex
    for match in page.matches(of: /rel="stylesheet" href="\/page\/([a-z]+\.css)"/) {
      let sheet = try #require(Self.sources[String(match.1)])
      let place = try #require(style[end...].firstRange(of: sheet), "\(match.1)")
      end = place.upperBound
    }
    #expect(end == style.endIndex)
    #expect(page.matches(of: /rel="stylesheet"/).count == Self.sources.keys.count { $0.hasSuffix(".css") })
  }

  @Test func `All that the page refers to is there`() throws {
    for name in ControlPage.names {
      for other in mentioned(in: try text(name)) {
        #expect(ControlPage.file(other) != nil, "\(name) refers to /page/\(other)")
      }
    }
    let page = try text("index.html")
    for match in page.matches(of: /href="#(icon-[a-z-]+)"/) { #expect(page.contains("<symbol id=\"\(match.1)\"")) }
  }

  @Test func `Each module and each file of the page is used`() throws {
    var used: Set = ["index.html"]
    var waiting = ["index.html"]
    while let name = waiting.popLast() {
      let text = try #require(Self.sources[name], "\(name) is not there")
      let imported = text.matches(of: /(?:from|import) ?\(?"\.\/([^"]+)"/).map { String($0.1) }
      for other in mentioned(in: text).union(imported) where used.insert(other).inserted { waiting.append(other) }
    }
    #expect(Set(Self.sources.keys).subtracting(used) == [])
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
    let program = try text("app.js")
    for banned in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
      #expect(!program.contains(banned), "\(banned)")
    }
  }

  @Test func `A module or a style sheet has at most 300 lines, the page itself 400`() {
    #expect(Self.sources.count > 20)
    for (name, text) in Self.sources {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= (name.hasSuffix(".html") ? 401 : 301), "\(name): is there a second noun in it?")
    }
  }
}
