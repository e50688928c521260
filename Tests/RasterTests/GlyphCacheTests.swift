import Geometry
import Layout
import Scenes
import SeededRandom
import Testing
import Typesetting

@testable import Raster

struct GlyphCacheTests {
  private let typesetter: Typesetter
  private let run: GlyphRun

  init() throws {
    typesetter = try Typesetter()
    let rules = FitRules(box: Size(4000, 200), minimum: 640, wordBreak: 640)
    run = try #require(try typesetter.set("abcdefgh", by: rules, font: dejaVu).runs.first)
  }

  /// Returns the bytes that a request for a glyph adds; 0 if the glyph is cached.
  private func cost(_ index: Int, _ cache: inout GlyphCache) -> Int {
    let before = cache.byteCount
    _ = cache.glyph(of: run.glyphs[index], in: run, with: typesetter)
    return cache.byteCount - before
  }

  @Test func `The least recently used glyphs are evicted first, and no more than necessary`() {
    var all = GlyphCache(limit: .max)
    let costs = run.glyphs.indices.map { cost($0, &all) }
    #expect(costs.allSatisfy { $0 > 0 } && all.byteCount == costs.reduce(0, +))
    var cache = GlyphCache(limit: costs[0] + costs[2] + costs[3])
    for index in [0, 1, 2, 0, 3] { _ = cost(index, &cache) }
    cache.trim()
    #expect(cache.byteCount == costs[0] + costs[2] + costs[3])
    #expect([0, 2, 3].allSatisfy { cost($0, &cache) == 0 } && cost(1, &cache) == costs[1])
  }

  @Test func `Under random use the byte count equals that of the cached glyphs`() {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    var all = GlyphCache(limit: .max)
    let costs = run.glyphs.indices.map { cost($0, &all) }
    var cache = GlyphCache(limit: costs.reduce(0, +) / 2)
    /// The cached glyphs, least recently used first.
    var kept: [Int] = []
    for _ in 0..<500 {
      let index = Int.random(in: costs.indices, using: &generator)
      #expect((cost(index, &cache) == 0) == kept.contains(index), "seed \(seed)")
      kept.removeAll { $0 == index }
      kept.append(index)
      if Bool.random(using: &generator) {
        cache.trim()
        while kept.map({ costs[$0] }).reduce(0, +) > costs.reduce(0, +) / 2 { kept.removeFirst() }
      }
      #expect(cache.byteCount == kept.map { costs[$0] }.reduce(0, +), "seed \(seed)")
    }
    cache.resize(limit: 0)
    #expect(cache.byteCount == 0)
  }

  @Test(.enabled(if: hasNotoEmoji, "fonts-noto-color-emoji is not installed"))
  func `Painting with and without emoji never leaves more bytes than the limit`() throws {
    let materials = try RenderResources()
    let canvas = Canvas(size: Size(640, 360), format: .xrgb8888, cacheBytes: 200_000)
    for text in ["🎉🙂🚀", "one", "🍏🍊🍋🍌🍉🍇🍓", "two 2", "🎉"] {
      let font = text.first?.isASCII == true ? dejaVu : notoEmoji
      let banner = View(banner: text, style: style(font: font))
      let list = try layOut(banner, on: DisplayMetrics(pixels: canvas.size), with: materials)
      _ = canvas.draw(list, with: materials)
      #expect(canvas.cachedBytes > 0 && canvas.cachedBytes <= 200_000, "\(text)")
    }
  }
}
