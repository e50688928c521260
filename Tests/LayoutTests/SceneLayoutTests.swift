import Geometry
import Layout
import Pictures
import Scenes
import Testing
import Typesetting

struct SceneLayoutTests {
  private func list(
    _ content: View.Content, _ size: Size, scale: Int = 1, _ materials: RenderResources
  ) throws -> DisplayList {
    let view = View(content, style: HardScenes.style)
    return try layOut(view, on: DisplayMetrics(pixels: size, scale: scale), with: materials)
  }

  @Test(arguments: HardScenes.sizes.map(\.size))
  func `Every scene's ink stays inside the safe area, and no texts overlap`(size: Size) throws {
    let materials = try RenderResources()
    let scale = size.shortSide > 2000 ? 2 : 1
    for (name, content) in HardScenes.inside {
      let list = try list(content, size, scale: scale, materials)
      let outside = list.items.first { !list.safeArea.contains($0.ink) }
      #expect(outside == nil, "\(name): \(outside?.ink ?? .empty) is outside of \(list.safeArea)")
      #expect(list.warnings.isEmpty == !HardScenes.warned.contains(name), "\(name): \(list.warnings)")
      let texts = list.items.compactMap(\.text)
      let smallest = size.shortSide * 64 * 27 / 1080
      #expect(texts.allSatisfy { Int($0.run.size) >= smallest - 64 }, "\(name) has letters that are too small")
      expectApart(texts.map(\.ink), name)
    }
  }

  @Test(
    "The detail of a now scene is shown if it fits, whatever the aspect ratio",
    arguments: [
      (Size(1600, 1200), 1, true), (Size(1920, 1080), 1, true), (Size(1080, 1920), 1, true),
      (Size(1280, 1024), 1, true),
      (Size(1024, 600), 1, false), (Size(1024, 768), 1, false), (Size(800, 480), 1, false),
      (Size(2048, 1152), 2, false),
      (Size(3840, 2160), 2, true),
    ])
  func detail(size: Size, scale: Int, isShown: Bool) throws {
    let materials = try RenderResources()
    func texts(_ detail: String?) throws -> Int {
      let now = View.Content.now(NowPlaying(title: "Title", subtitle: "Who", detail: detail))
      return try list(now, size, scale: scale, materials).items.compactMap(\.text).count
    }
    #expect(try texts("Detail") == texts(nil) + (isShown ? 1 : 0))
  }

  /// Boxes are up to a pixel larger than their ink; adjacent letters in different styles may touch.
  private func expectApart(_ boxes: [Rect], _ name: String) {
    let boxes = boxes.map { Rect(x: $0.x + 3, y: $0.y + 2, width: $0.width - 6, height: $0.height - 4) }
      .filter { !$0.isEmpty }.sorted { $0.y < $1.y }
    for (index, box) in boxes.enumerated() {
      for other in boxes[(index + 1)...] {
        if other.y >= box.bottom { break }
        #expect(box.intersection(other).isEmpty, "\(name): \(box) and \(other)")
      }
    }
  }

  @Test(arguments: [Size(0, 0), Size(1, 1), Size(2, 3000), Size(4000, 1), Size(40, 30), Size(64, 128)])
  func `A display of any size gets a list of every scene`(size: Size) throws {
    let materials = try RenderResources()
    for content in HardScenes.inside.map(\.content) + HardScenes.whole {
      let list = try list(content, size, materials)
      #expect(list.size == size)
    }
  }

  @Test(arguments: HardScenes.sizes.map(\.size))
  func `Patterns, images and mirrors stay inside the display`(size: Size) throws {
    let materials = try RenderResources()
    for content in HardScenes.whole {
      let list = try list(content, size, materials)
      #expect(list.items.allSatisfy { Rect(size).contains($0.ink) })
    }
  }

  @Test func `A minute changes only the digits, which keep their size and position`() throws {
    let materials = try RenderResources()
    let lists = try ["14:05", "11:11"].map { time in
      try list(.clock(ClockFace(time: time, date: "Saturday", caption: "Berlin")), Size(1280, 720), materials)
    }
    #expect(lists[0].items.count == lists[1].items.count)
    let changed = zip(lists[0].items, lists[1].items).filter { $0.0 != $0.1 }
    let runs = try #require(
      changed.first.flatMap { first in first.0.text.flatMap { a in first.1.text.map { (a, $0) } } })
    #expect(changed.count == 1 && runs.0.run.size == runs.1.run.size)
    #expect(runs.0.run.glyphs.map(\.x)[2] == runs.1.run.glyphs.map(\.x)[2])
    #expect(runs.0.run.glyphs[0].y == runs.1.run.glyphs[0].y)
  }

  @Test func `Progress changes only the bar`() throws {
    let materials = try RenderResources()
    let lists = try [0.2, 0.6].map { progress in
      try list(.now(NowPlaying(title: "Title", subtitle: "Who", progress: progress)), Size(1920, 1080), materials)
    }
    let changed = zip(lists[0].items, lists[1].items).filter { $0.0 != $0.1 }
    #expect(changed.count == 1 && changed[0].0.text == nil)
  }

  @Test func `Cards that do not fit are counted`() throws {
    let cards = (0..<40).map { Card(title: "Card \($0)", content: "Something to say") }
    let board = Board(columns: [Board.Column(title: "Many", cards: cards)])
    let list = try list(.board(board), Size(1280, 720), RenderResources())
    let warning = try #require(list.warnings.first)
    #expect(warning.hasSuffix("of 40 cards of Many do not fit on the display"))
  }

  @Test func `A QR code has modules of whole pixels and its margin on white`() throws {
    let list = try list(.qr(QRPanel(text: "https://example.org")), Size(801, 603), RenderResources())
    let fills = list.items.compactMap { item -> FillItem? in if case .fill(let fill) = item { fill } else { nil } }
    let ground = try #require(fills.first)
    #expect(ground.color == .white)
    let dark = fills.dropFirst()
    let module = try #require(dark.map(\.rect.height).min())
    #expect(dark.allSatisfy { $0.rect.height == module && $0.rect.width % module == 0 && $0.color == .black })
    let all = dark.reduce(Rect.empty) { $0.union($1.rect) }
    #expect(all.x - ground.rect.x == 4 * module && ground.rect.bottom - all.bottom == 4 * module)
  }

  @Test func `A mirror shows the same content, scaled down on black`() throws {
    let materials = try RenderResources()
    let view = View(.card(Card(title: "Title", content: "Content")), style: HardScenes.style)
    let original = try layOut(view, on: DisplayMetrics(pixels: Size(800, 600)), with: materials)
    let mirror = try list(.mirror(MirroredView(view, pixels: Size(800, 600), scale: 1)), Size(1000, 300), materials)
    #expect(mirror.background == .black && mirror.items.count == original.items.count + 1)
    #expect(mirror.items[0].ink == Rect(x: 300, y: 0, width: 400, height: 300))
    for (item, copy) in zip(original.items, mirror.items.dropFirst()) {
      #expect(abs(copy.ink.x - 300 - item.ink.x / 2) <= 4 && abs(copy.ink.y - item.ink.y / 2) <= 4)
    }
  }

  @Test func `A missing image causes a warning, and its name is shown`() throws {
    let materials = try RenderResources(pictures: ImageCache(reader: .anywhere))
    let list = try list(.image(ImagePanel(path: "/no/such/lobby.png")), Size(1280, 720), materials)
    #expect(list.warnings.count == 1 && list.warnings[0].contains("/no/such/lobby.png"))
    #expect(list.items.contains { $0.text != nil })
  }
}
