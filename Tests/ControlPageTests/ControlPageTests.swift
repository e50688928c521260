import Control
import ControlPage
import FoundationEssentials
import Testing

/// Tests of the page without a browser: its sources, and the files into which they are bundled.
struct ControlPageTests {
  private func text(_ name: String) throws -> String {
    let file = try #require(ControlPage.file(name), "\(name) is missing")
    return String(decoding: file.bytes, as: UTF8.self)
  }

  /// Returns the names below `/page/` to which a file refers.
  private func mentioned(in text: String) -> Set<String> {
    Set(text.matches(of: /\/page\/([A-Za-z0-9._-]+)/).map { String($0.1) })
  }

  private static let folder =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Sources/Control/ControlPage/Files"

  /// The source files, keyed by name.
  static let sources: [String: String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.reduce(into: [:]) { files, name in
      files[name] = (try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }()

  @Test func `each file has a known media type`() throws {
    #expect(ControlPage.names.contains("index.html"))
    for name in ControlPage.names {
      let file = try #require(ControlPage.file(name), "\(name) has an unknown extension")
      #expect(!file.bytes.isEmpty, "\(name)")
    }
    #expect(ControlPage.file("index.html")?.type == "text/html; charset=utf-8")
    #expect(ControlPage.file("app.js")?.type == "text/javascript; charset=utf-8")
  }

  /// With PLACARD_UPDATE_GOLDEN=1, a changed table is written to the repository.
  @Test func `the page's table of events is that of the interface`() throws {
    let rows = ControlEvent.Kind.allCases.map { kind in
      "  \(kind.rawValue): [\(kind.resources.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))],\n"
    }
    let table = """
      // Written by ControlPageTests from ControlEvent.Kind.

      /** The resources that an event of each kind can change. */
      export const concerned = {
      \(rows.joined())};

      """
    if ProcessInfo.processInfo.environment["PLACARD_UPDATE_GOLDEN"] == "1" {
      try Data(table.utf8).write(to: URL(filePath: "\(Self.folder)/events.js"))
    }
    #expect(Self.sources["events.js"] == table)
  }

  @Test(arguments: ["", "..", "../README.md", "nothing.js", "INDEX.HTML", "dom.js", "tokens.css"])
  func `paths of other files are not found`(path: String) {
    #expect(ControlPage.file(path) == nil)
  }

  @Test func `a browser loads one script and one style sheet`() throws {
    #expect(ControlPage.names == ["app.js", "icon.svg", "index.html", "page.css", "placard.webmanifest"])
    let page = try text("index.html")
    #expect(page.matches(of: /rel="stylesheet"/).count == 1)
    #expect(page.matches(of: /<script/).count == 1)
    #expect(mentioned(in: page) == ["app.js", "icon.svg", "page.css", "placard.webmanifest"])
  }

  @Test func `the script contains each module once, after the modules that it imports`() throws {
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

  @Test func `the style sheet contains all source style sheets in the order of their links`() throws {
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

  @Test func `each file and each icon to which the page refers exists`() throws {
    for name in ControlPage.names {
      for other in mentioned(in: try text(name)) {
        #expect(ControlPage.file(other) != nil, "\(name) refers to /page/\(other)")
      }
    }
    let page = try text("index.html")
    for match in page.matches(of: /href="#(icon-[a-z-]+)"/) { #expect(page.contains("<symbol id=\"\(match.1)\"")) }
  }

  @Test func `each source file is used`() throws {
    var used: Set = ["index.html"]
    var waiting = ["index.html"]
    while let name = waiting.popLast() {
      let text = try #require(Self.sources[name], "\(name) is missing")
      let imported = text.matches(of: /(?:from|import) ?\(?"\.\/([^"]+)"/).map { String($0.1) }
      for other in mentioned(in: text).union(imported) where used.insert(other).inserted { waiting.append(other) }
    }
    #expect(Set(Self.sources.keys).subtracting(used) == [])
  }

  @Test func `the page has no inline script, inline style or external URL`() throws {
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

  @Test func `no string is parsed as HTML or as code`() throws {
    let program = try text("app.js")
    for banned in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
      #expect(!program.contains(banned), "\(banned)")
    }
  }

  @Test func `a module or a style sheet has at most 300 lines, the page 450, a table of words 900`() {
    #expect(Self.sources.count > 20)
    for (name, text) in Self.sources {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(
        lines.count <= (name.hasSuffix(".html") ? 451 : name == "german.js" ? 901 : 301),
        "\(name) has \(lines.count) lines: split it")
    }
  }
}
