import Geometry
import Layout
import Scenes
import Testing
import Typesetting

/// The position of a scrolling line, pixel by pixel, and the seam between its end and its beginning.
struct TickerLayoutTests {
  private static let sizes = HardScenes.sizes.map(\.size)

  private func list(
    _ ticker: Ticker, _ size: Size, scale: Int = 1, _ materials: RenderResources
  ) throws -> DisplayList {
    let view = View(.ticker(ticker), style: HardScenes.style)
    return try layOut(view, on: DisplayMetrics(pixels: size, scale: scale), with: materials)
  }

  private func inks(_ list: DisplayList) -> [Rect] { list.items.map(\.ink) }

  @Test(arguments: sizes)
  func `A line is centered, equally large on every display, and begins in the safe area`(size: Size) throws {
    let materials = try RenderResources()
    let list = try list(Ticker("Hamburg"), size, materials)
    let strip = try #require(list.strip)
    #expect(strip.window.x == 0 && strip.window.width == size.width)
    #expect(strip.length >= size.width && strip.length.isMultiple(of: ScrollLayer.tileExtent))
    #expect(abs(strip.window.y + strip.window.height / 2 - size.height / 2) < size.shortSide / 10)
    #expect((150...360).contains(strip.window.height * 1080 / size.shortSide))
    #expect(list.items.first?.ink.x == list.safeArea.x)
    #expect(list.seen(after: 0).items == list.items && list.seen(after: 0).strip == nil)
  }

  @Test func `Each step moves the whole line by one pixel to the left`() throws {
    let materials = try RenderResources()
    let list = try list(Ticker("Hamburg"), Size(1280, 720), materials)
    let before = try #require(inks(list).first)
    for distance in 1...before.x {
      #expect(
        inks(list.seen(after: distance)).first
          == Rect(
            x: before.x - distance, y: before.y, width: before.width, height: before.height))
    }
  }

  @Test func `Right-to-left text begins at the right and scrolls to the right`() throws {
    let materials = try RenderResources()
    let list = try list(Ticker("שלום"), Size(1280, 720), materials)
    #expect(list.strip?.direction == .right)
    let before = try #require(inks(list).first)
    #expect(before.right == list.safeArea.right)
    #expect(inks(list.seen(after: 5)).first?.x == before.x + 5)
  }

  @Test(arguments: ["Hi", "שלום", HardScenes.long, String(repeating: "سلام عليكم ", count: 90)], sizes)
  func `After its length a line repeats without a jump at the seam`(text: String, size: Size) throws {
    let materials = try RenderResources()
    let list = try list(Ticker(text), size, materials)
    let strip = try #require(list.strip)
    #expect(list.seen(after: strip.length) == list.seen(after: 0))
    #expect(list.seen(after: 7 * strip.length + 11) == list.seen(after: 11))
    let window = strip.window
    for column in [-1, 0, strip.length - window.width / 2, strip.length - 1] {
      // The window's left and right halves equal two windows of half the width.
      let half = window.width / 2
      let left = Rect(x: 0, y: window.y, width: half, height: window.height)
      let right = Rect(x: half, y: window.y, width: half, height: window.height)
      let whole = strip.items(from: column, in: Rect(x: 0, y: window.y, width: 2 * half, height: window.height))
      let halves = strip.items(from: column, in: left) + strip.items(from: column + half, in: right)
      func area(_ items: [DisplayItem]) -> Int { items.reduce(0) { $0 + $1.ink.size.area } }
      #expect(area(whole) == area(halves))
    }
  }

  @Test(arguments: ["", " ", "\n\n", "\u{200B}"])
  func `An empty line does not scroll`(text: String) throws {
    let materials = try RenderResources()
    let list = try list(Ticker(text), Size(640, 480), materials)
    #expect(list.strip == nil && list.items.isEmpty)
  }

  @Test func `A text of a million bytes is truncated with a warning`() throws {
    let materials = try RenderResources()
    let lines = String(repeating: "It is a long way to Tipperary. ", count: 1 << 10) + "\n"
    let list = try list(Ticker(String(repeating: lines, count: 32)), Size(3840, 2160), scale: 2, materials)
    let strip = try #require(list.strip)
    #expect((1 << 21...1 << 23).contains(strip.length))
    #expect(list.warnings.contains { $0.contains("too long for one line") })
    #expect(list.items.count <= 3, "only the visible part is drawn")
  }

  @Test func `Lines of a text are joined with more space than words`() throws {
    let materials = try RenderResources()
    let (one, two) = (
      try list(Ticker("left right"), Size(1920, 1080), materials),
      try list(Ticker("left\nright"), Size(1920, 1080), materials)
    )
    let pieces = inks(two)
    #expect(inks(one).count == 1 && pieces.count == 2)
    #expect(pieces[1].right - pieces[0].x > inks(one)[0].width)
  }

  @Test func `Speeds count logical pixels, and a mirror scales and clips its line`() throws {
    let materials = try RenderResources()
    #expect(try list(Ticker("Fast", speed: 200), Size(1920, 1080), materials).strip?.speed == 200)
    #expect(try list(Ticker("Fast", speed: 200), Size(3840, 2160), scale: 2, materials).strip?.speed == 400)
    let mirrored = MirroredView(
      View(.ticker(Ticker("Fast", speed: 200)), style: HardScenes.style), pixels: Size(1000, 1000), scale: 1)
    let list = try layOut(
      View(.mirror(mirrored)), on: DisplayMetrics(pixels: Size(1000, 500)), with: materials)
    let strip = try #require(list.strip)
    #expect(strip.speed == 100 && strip.window.x == 250 && strip.window.width == 500)
    for distance in [0, 100, strip.length - 1] {
      let seen = list.seen(after: distance)
      #expect(seen.items.dropFirst().allSatisfy { strip.window.contains($0.ink) })
      #expect(seen.items.first == list.items.first, "the background of the mirrored display")
    }
  }
}
