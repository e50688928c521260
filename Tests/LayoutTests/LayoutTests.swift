import Geometry
import Layout
import Scenes
import Testing
import Typesetting

struct LayoutTests {
  private let dejaVu = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

  private func list(_ text: String, _ metrics: DisplayMetrics, safeArea: Double = 0.03) throws -> DisplayList {
    let style = Style(foreground: .black, background: .white, font: dejaVu, safeArea: safeArea)
    return try layOut(View(banner: text, style: style), on: metrics, with: RenderResources())
  }

  @Test(arguments: [
    Size(1920, 1080), Size(800, 480), Size(1080, 1920), Size(3440, 1440), Size(3840, 2160), Size(128, 64),
  ])
  func `A banner stays in the safe area, is centered, and fills one direction`(size: Size) throws {
    let list = try list("Platform 9", DisplayMetrics(pixels: size))
    let ink = list.items.reduce(Rect.empty) { $0.union($1.ink) }
    #expect(list.safeArea.contains(ink))
    #expect(abs((ink.x + ink.right) - size.width) <= 8 + size.width / 200)
    let free = (list.safeArea.width - ink.width, list.safeArea.height - ink.height)
    #expect(free.0 < size.width / 10 || free.1 < size.height / 2)
    #expect(list.background == .white && list.items.allSatisfy { $0.text?.color == .black })
  }

  @Test(arguments: ["42", "12:30", "EXIT", "Ça", "gy"])
  func `a short text fills the height or the width with its ink, and is centered by it`(text: String) throws {
    let list = try list(text, DisplayMetrics(pixels: Size(1920, 1080)))
    let ink = list.items.reduce(Rect.empty) { $0.union($1.ink) }
    #expect(list.safeArea.contains(ink))
    #expect(
      list.safeArea.width - ink.width < 60 || list.safeArea.height - ink.height < 20, "\(ink) in \(list.safeArea)")
    #expect(abs((ink.y + ink.bottom) - 1080) <= 4, "\(ink)")
  }

  @Test func `given lines are kept if they may be a little smaller for that`() throws {
    func lines(_ text: String) throws -> Int {
      let list = try list(text, DisplayMetrics(pixels: Size(1920, 1080)))
      return Set(list.items.compactMap { $0.text?.run.glyphs.first?.y }).count
    }
    #expect(try lines("Kitchen opens at\nhalf past eleven") == 2)
    #expect(try lines("Monday to Friday\nSaturday morning\nSunday afternoon") == 3)
    // A long line would be too small.
    #expect(try lines("Hi\n" + String(repeating: "many words in one line ", count: 8)) > 2)
  }

  @Test func `up to five lines are centered, and more start at the edge`() throws {
    func lefts(_ count: Int) throws -> Set<Int> {
      let text = (1...count).map { String(repeating: "word ", count: $0) }.joined(separator: "\n")
      let list = try list(text, DisplayMetrics(pixels: Size(1920, 1080)))
      return Set(list.items.compactMap { $0.text?.run.ink.x })
    }
    #expect(try lefts(5).count == 5 && lefts(6).count == 1)
  }

  @Test func `a banner is set at 2.5% of the height at least, and says how much of a longer text is visible`() throws {
    let list = try list(String(repeating: "many words ", count: 2000), DisplayMetrics(pixels: Size(1920, 1080)))
    let sizes = list.items.compactMap { $0.text?.run.size }
    #expect(sizes.allSatisfy { $0 >= 27 * 64 - 16 }, "\(sizes.min() ?? 0)")
    #expect(list.warnings.contains { $0.contains("22000") || $0.contains("21999") }, "\(list.warnings)")
  }

  @Test func `The safe area is a share of each edge, rounded up`() throws {
    let list = try list("x", DisplayMetrics(pixels: Size(1001, 333)), safeArea: 0.05)
    #expect(list.safeArea == Rect(x: 51, y: 17, width: 899, height: 299))
  }

  @Test(arguments: [-1.0, 0, 0.5, 7, .nan, .infinity, -.infinity, 1e300])
  func `Every share gives a safe area inside the display`(share: Double) throws {
    let list = try list("x", DisplayMetrics(pixels: Size(200, 100)), safeArea: share)
    #expect(Rect(Size(200, 100)).contains(list.safeArea))
    #expect(!list.safeArea.isEmpty)
  }

  @Test func `A shift moves all text as far as the display's edges allow`() throws {
    let still = try list("x", DisplayMetrics(pixels: Size(1000, 500)))
    func ink(_ shift: Shift) throws -> Rect {
      var view = View(banner: "x", style: Style(foreground: .black, background: .white, font: dejaVu))
      view.shift = shift
      let list = try layOut(view, on: DisplayMetrics(pixels: Size(1000, 500)), with: RenderResources())
      #expect(list.items.count == still.items.count && Rect(Size(1000, 500)).contains(list.safeArea))
      return list.items.reduce(Rect.empty) { $0.union($1.ink) }
    }
    let rest = try ink(.none)
    #expect(rest == still.items.reduce(Rect.empty) { $0.union($1.ink) })
    #expect(try ink(Shift(x: -12, y: 8)) == Rect(x: rest.x - 12, y: rest.y + 8, width: rest.width, height: rest.height))
    #expect(
      try ink(Shift(x: 72, y: -72)) == Rect(x: rest.x + 30, y: rest.y - 15, width: rest.width, height: rest.height))
  }

  @Test func `A mirror of a still scene is shifted, and a mirror of a scrolling line is not`() throws {
    let (size, materials) = (Size(1000, 500), try RenderResources())
    func list(_ inner: View, _ shift: Shift) throws -> DisplayList {
      var view = View(.mirror(MirroredView(inner, pixels: size, scale: 1)))
      view.shift = shift
      return try layOut(view, on: DisplayMetrics(pixels: size), with: materials)
    }
    func letters(_ list: DisplayList) -> Rect { list.items.compactMap(\.text).reduce(Rect.empty) { $0.union($1.ink) } }
    let banner = View(banner: "x", style: Style(font: dejaVu))
    let rest = letters(try list(banner, .none))
    let moved = try list(banner, Shift(x: -12, y: 8))
    #expect(letters(moved) == Rect(x: rest.x - 12, y: rest.y + 8, width: rest.width, height: rest.height))
    #expect(moved.items.allSatisfy { Rect(size).contains($0.ink) })
    let line = View(.ticker(Ticker("abc")), style: Style(font: dejaVu))
    let (still, asked) = (try list(line, .none), try list(line, Shift(x: -12, y: 8)))
    #expect(asked.items == still.items && asked.strip == still.strip && still.strip != nil)
  }

  @Test func `Equal scenes give equal lists, and another text gives another list`() throws {
    let metrics = DisplayMetrics(pixels: Size(640, 480))
    #expect(try list("same", metrics) == list("same", metrics))
    #expect(try list("same", metrics) != list("some", metrics))
  }

  @Test func `An empty message is the plain background`() throws {
    let list = try list("", DisplayMetrics(pixels: Size(640, 480)))
    #expect(list.items.isEmpty && list.warnings.isEmpty)
  }

  @Test func `At scale 2 small text has twice the height in pixels`() throws {
    let text = String(repeating: "much too long ", count: 2000)
    let sizes = try [1, 2].map { scale in
      try list(text, DisplayMetrics(pixels: Size(450, 300), scale: scale)).items[0].text?.run.size
    }
    #expect(sizes == [10 * 64, 20 * 64])
  }

  @Test(arguments: [Size(0, 0), Size(1, 1), Size(2, 5000), Size(16384, 1)])
  func `A display of any size gets a list`(size: Size) throws {
    let list = try list("Hello", DisplayMetrics(pixels: size))
    #expect(list.items.allSatisfy { Rect(size).contains($0.ink) })
  }
}
