import Geometry
import Glibc
import JSON
import Layout
import Markdown
import Scenes
import Testing
import Typesetting

struct MarkdownLayoutTests {
  private func list(
    _ text: MarkdownText, at place: Place = .start, on size: Size = Size(1280, 720), _ materials: RenderResources
  ) throws -> DisplayList {
    let view = View(.markdown(text, place), style: HardScenes.style)
    return try layOut(view, on: DisplayMetrics(pixels: size), with: materials)
  }

  private static let chapters = (1...12).map { chapter in
    "# Chapter \(chapter)\n\n" + (1...9).map { "Paragraph \($0) of chapter \(chapter)." }.joined(separator: "\n\n")
  }.joined(separator: "\n\n")

  /// The runs of glyphs and colors by position, which identify a line.
  private func lines(_ list: DisplayList) -> [GlyphRun] { list.items.compactMap(\.text?.run) }

  @Test func `A text that fits is one page`() throws {
    let list = try list(MarkdownText("# Short\n\nText."), RenderResources())
    #expect(list.pages == 1 && list.headings.isEmpty && list.warnings.isEmpty)
  }

  @Test(arguments: [Size(800, 480), Size(1280, 720), Size(1080, 1920), Size(3440, 1440)])
  func `the letters of a short page grow as long as it stays one page, unless a size is given`(size: Size) throws {
    let materials = try RenderResources()
    func sizes(_ text: MarkdownText) throws -> (largest: Int, ink: Rect, pages: Int) {
      let list = try list(text, on: size, materials)
      let runs = list.items.compactMap(\.text?.run)
      #expect(list.safeArea.contains(runs.reduce(Rect.empty) { $0.union($1.ink) }))
      return (runs.map { Int($0.size) }.max() ?? 0, runs.reduce(Rect.empty) { $0.union($1.ink) }, list.pages)
    }
    let menu = "## Today\n\n- Soup of the day\n- Bread with butter\n- Apple cake"
    let (grown, given) = (try sizes(MarkdownText(menu)), try sizes(MarkdownText(menu, size: 40)))
    #expect(grown.pages == 1 && given.pages == 1)
    #expect(grown.largest > given.largest * 14 / 10, "\(grown.largest) and \(given.largest)")
    #expect(grown.ink.height > given.ink.height)
    let long = MarkdownText(Self.chapters)
    let fixed = MarkdownText(Self.chapters, size: 40)
    if size != Size(800, 480) { #expect(try sizes(long).largest == sizes(fixed).largest) }
    // A word is never broken for it.
    let word = String(repeating: "Donaudampf", count: 4)
    let runs = try list(MarkdownText("A \(word) b"), on: size, materials).items.compactMap(\.text?.run)
    #expect(Set(runs.map(\.glyphs.first?.y)).count <= 3)
  }

  @Test func `code is never smaller than other text`() throws {
    let code = "```\n" + String(repeating: "let ground = behind; ", count: 12) + "\n```"
    let list = try list(MarkdownText(code), RenderResources())
    let smallest = try #require(list.items.compactMap(\.text?.run.size).min())
    #expect(Int(smallest) >= 27 * 720 * 64 / 1080 - 64)
  }

  @Test(arguments: [Size(800, 480), Size(1920, 1080), Size(1080, 1920)])
  func `the letters of a short page grow only as far as its code does`(size: Size) throws {
    let text = "# Setup\n\nRun:\n\n```\nplacard show --display HDMI-A-1 --for 2h \"Fire drill\"\n```"
    let materials = try RenderResources()
    func sizes(_ text: MarkdownText) throws -> (code: Int, words: Int) {
      let runs = try list(text, on: size, materials).items.compactMap(\.text?.run).sorted { $0.ink.y < $1.ink.y }
      return (Int(try #require(runs.last).size), Int(try #require(runs.dropFirst().first).size))
    }
    let (grown, given) = (try sizes(MarkdownText(text)), try sizes(MarkdownText(text, size: 40)))
    #expect(grown.code >= given.code)
    let usual = min(given.code * 100 / given.words, 85 * 8 / 10)
    #expect(grown.code * 100 / grown.words >= usual - 1, "\(grown) and \(given)")
  }

  @Test func `The pages together show each line once and whole, and no heading ends a page`() throws {
    let materials = try RenderResources()
    let first = try list(MarkdownText(Self.chapters), materials)
    #expect(first.pages > 3)
    var count = 0
    for page in 0..<first.pages {
      let place = Place.share(Double(page) / Double(first.pages))
      let list = try list(MarkdownText(Self.chapters), at: place, materials)
      let runs = lines(list).dropLast()
      #expect(list.items.dropLast().allSatisfy { $0.text?.clip == nil })
      let largest = try #require(runs.map(\.size).max())
      let smallest = try #require(runs.map(\.size).min())
      #expect(largest == smallest || runs.last?.size == smallest, "page \(page) ends with a heading")
      count += runs.count
    }
    #expect(count == 12 * 10)
  }

  @Test func `A heading's place is on the page with the heading`() throws {
    let materials = try RenderResources()
    let first = try list(MarkdownText(Self.chapters), materials)
    #expect(first.headings.map(\.anchor) == (1...12).map { "chapter-\($0)" })
    for heading in first.headings {
      let named = try list(MarkdownText(Self.chapters), at: .heading(heading.anchor), materials)
      #expect(try named == list(MarkdownText(Self.chapters), at: .share(heading.share), materials))
    }
  }

  @Test func `Scrolling goes from the beginning to the end and clips at the area's edges`() throws {
    let materials = try RenderResources()
    let text = MarkdownText(Self.chapters, flow: .scroll)
    let places = try [0, 0.5, 1, 2, -1, .nan].map { try list(text, at: .share($0), materials) }
    #expect(places[2] == places[3])
    #expect(places[0] == places[4])
    #expect(places[0] == places[5])
    #expect(places[1] != places[0])
    #expect(places[1] != places[2])
    for list in places { #expect(list.items.allSatisfy { list.safeArea.contains($0.ink) }) }
    let heading = try list(text, at: .heading("chapter-5"), materials)
    #expect(lines(heading).first?.size == lines(places[0]).first?.size)
  }

  @Test(arguments: HardScenes.sizes.map(\.size))
  func `Every scroll position shows the same column at an offset of whole rows`(size: Size) throws {
    let materials = try RenderResources()
    let text = MarkdownText(Self.chapters + "\n\n> Quoted.\n\n```\nCode\n```", flow: .scroll)
    let first = try list(text, on: size, materials)
    let end = try list(text, at: .share(1), on: size, materials)
    let strip = try #require(first.strip)
    #expect(strip.direction == .up && strip.speed == nil && strip.distance == 0)
    #expect(first.safeArea.contains(strip.window))
    let free = try #require(end.strip?.distance)
    #expect(
      strip.length >= free + strip.window.height && strip.length < free + strip.window.height + ScrollLayer.tileExtent)
    for row in [1, strip.window.height, free / 2, free] {
      let there = try list(text, at: .share(Double(row) / Double(free)), on: size, materials)
      #expect(there.strip?.distance == row)
      #expect(there.moved(to: 0) == first && first.moved(to: row) == there)
      #expect(there.items.allSatisfy { strip.window.contains($0.ink) })
      #expect(first.seen(after: row).items == there.items && first.seen(after: row).strip == nil)
    }
  }

  @Test(arguments: HardScenes.sizes.map(\.size))
  func `The end shows the whole last line, and no scroll position cuts that line`(size: Size) throws {
    let materials = try RenderResources()
    let ends = [
      "The line that is being typed, gjpqy", "Typed with `code gjpqy`", "- A last item, gjpqy", "> Quoted, gjpqy",
      "```\nCode, gjpqy\n```", "| A | B |\n|---|---|\n| 1 | gjpqy |", "## A heading, gjpqy", "gjpqy กู้ ညွှ",
      String(repeating: "A line that is broken several times. ", count: 12) + "gjpqy",
    ]
    for end in ends {
      let text = MarkdownText(Self.chapters + "\n\n" + end, flow: .scroll)
      let list = try list(text, at: .share(1), on: size, materials)
      let strip = try #require(list.strip)
      let free = strip.distance
      // The lowest item of the whole column is inside the window and not cut.
      let bottom = try #require(strip.items.map(\.ink.bottom).max())
      #expect(bottom - free <= strip.window.height, "\(end) is cut off by \(bottom - free - strip.window.height)")
      #expect(strip.window.bottom < list.safeArea.bottom, "\(end) has no margin below it")
      // At every scroll position the last line is either whole or invisible.
      guard let line = strip.items.compactMap(\.text?.run).last(where: { !$0.ink.isEmpty }) else { continue }
      for back in stride(from: 0, to: 4 * line.ink.height, by: max(1, line.ink.height / 3)) {
        let there = try self.list(text, at: .share(Double(free - back) / Double(free)), on: size, materials)
        let (top, seen) = (try #require(there.strip).distance, strip.window.height)
        let isOut = line.ink.y >= top + seen
        #expect(isOut || line.ink.bottom <= top + seen, "\(end) is cut at \(back) rows before the end")
      }
    }
  }

  @Test func `A text that fits or has pages has no scroll layer`() throws {
    let materials = try RenderResources()
    #expect(try list(MarkdownText("# Short", flow: .scroll), materials).strip == nil)
    #expect(try list(MarkdownText(Self.chapters), materials).strip == nil)
    let other = try list(MarkdownText(Self.chapters + "\n\nMore.", flow: .scroll), materials)
    #expect(try other.moved(to: 0) != list(MarkdownText(Self.chapters, flow: .scroll), materials))
  }

  @Test func `Scrolling again does not lay out the text again`() throws {
    let materials = try RenderResources()
    let text = MarkdownText(String(repeating: Self.chapters + "\n\n", count: 20), flow: .scroll)
    let clock = ContinuousClock()
    let cold = try clock.measure { _ = try list(text, materials) }
    let warm = try clock.measure { _ = try list(text, at: .share(0.7), materials) }
    #expect(warm < cold)
  }

  // MARK: The specification

  private struct Example: Decodable {
    var markdown: String
    var example: Int
  }

  private static let path = "/usr/share/gocode/src/github.com/yuin/goldmark/_test/spec.json"

  @Test(.enabled(if: unsafe access(path, R_OK) == 0, "golang-github-yuin-goldmark-dev is one of the tests' packages"))
  func `Each example of the specification is laid out with its words in order`() throws {
    let materials = try RenderResources()
    var reader = GlyphReader(materials)
    for example in try JSON.decode([Example].self, from: bytes(of: Self.path)) {
      let words = Document(example.markdown).plainText.filter { !$0.isWhitespace && $0 != "\u{A0}" }
      guard words.unicodeScalars.allSatisfy({ $0.value < 0x500 }) else { continue }
      let list = try list(MarkdownText(example.markdown, flow: .scroll), on: Size(1080, 1920), materials)
      let shown = try reader.text(of: lines(list), among: words + "0123456789.")
      #expect(withoutNumbers(shown, words) == words, "example \(example.example): \(example.markdown)")
    }
  }

  /// Removes list numbers, which are not part of a document's plain text.
  private func withoutNumbers(_ shown: String, _ words: String) -> String {
    if shown == words { return shown }
    var (left, rest) = ("", words[...])
    for character in shown {
      if rest.first == character {
        left.append(character)
        rest = rest.dropFirst()
      } else if !character.isNumber && character != "." {
        return shown
      }
    }
    return left
  }

  private func bytes(of path: String) throws -> [UInt8] {
    let file = unsafe try #require(fopen(path, "re"))
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = unsafe getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return bytes
  }
}

/// Maps glyphs back to letters by setting each letter in every style that Markdown uses.
private struct GlyphReader {
  private struct Key: Hashable {
    var font: FontID
    var glyph: UInt32
  }

  private let materials: RenderResources
  private var letters: [Key: String] = [:]
  private var known: Set<Character> = []

  init(_ materials: RenderResources) { self.materials = materials }

  mutating func text(of runs: [GlyphRun], among characters: String) throws -> String {
    for character in Set(characters).subtracting(known) { try learn(character) }
    // Pieces are in reading order, but a marker follows its line's text although it is left of it.
    return runs.map { run in
      run.glyphs.map { letters[Key(font: run.font, glyph: $0.glyph)] ?? "" }.joined()
    }.joined()
  }

  private mutating func learn(_ character: Character) throws {
    known.insert(character)
    for words in [String(character)] + (character == "f" ? ["fi", "fl", "ff", "ffi", "ffl"] : []) {
      for style in styles {
        let flowed = try materials.typesetter.flow(
          StyledText(words, style: style), by: FlowRules(width: 4000, size: 64 * 40))
        for run in flowed.lines.flatMap(\.runs) where run.glyphs.count == 1 {
          letters[Key(font: run.font, glyph: run.glyphs[0].glyph)] = words
        }
      }
    }
  }

  private var styles: [TextStyle] {
    let plain = [nil, 700].flatMap { weight in
      [false, true].map { TextStyle(font: "DejaVu Sans", weight: weight, isItalic: $0) }
    }
    return plain
      + [nil, 700].flatMap { weight in
        [false, true].map { TextStyle(weight: weight, isItalic: $0, isMonospaced: true) }
      }
  }
}
