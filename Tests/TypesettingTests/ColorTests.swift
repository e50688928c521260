import Geometry
import Pictures
import SeededRandom
import Testing

@testable import Typesetting

struct ColorTests {
  private let rules = FitRules(box: Size(400, 200), minimum: 12 * 64, wordBreak: 20 * 64)

  private func run(_ text: String, _ font: String, _ rules: FitRules, _ typesetter: Typesetter) throws -> GlyphRun {
    let set = try typesetter.set(text, by: rules, font: font)
    #expect(set.warnings.isEmpty, "\(set.warnings)")
    return try #require(set.runs.first)
  }

  private func image(_ size: Int32, _ typesetter: Typesetter, shift: Int = 0) throws -> GlyphImage? {
    let run = try run("🎉", notoEmoji, rules, typesetter)
    let drawing = typesetter.drawing(of: run.glyphs[0].glyph, font: run.font, size: size, shift: shift)
    if case .image(let image) = drawing { return image }
    Issue.record("no bitmap at \(size) but \(drawing)")
    return nil
  }

  @Test(.enabled(if: hasNotoEmoji, "fonts-noto-color-emoji is not installed"), arguments: [12, 40, 109, 300, 1700])
  func `HarfBuzz and the bitmap agree on the ink of an emoji`(size: Int) throws {
    let typesetter = try Typesetter()
    let ink = try #require(
      typesetter.fitter(StyledText("🎉", style: TextStyle(font: notoEmoji)), by: rules).text.glyphs.first
    ).ink
    let bounds = try #require(try image(Int32(size * 64), typesetter)).bounds
    func pixels(_ length: Int32) -> Double { Double(length) * Double(size) / 65536 }
    #expect(abs(Double(bounds.x) - pixels(ink.left)) <= 1 && abs(Double(bounds.right) - pixels(ink.right)) <= 1)
    #expect(abs(Double(-bounds.y) - pixels(ink.top)) <= 1 && abs(Double(-bounds.bottom) - pixels(ink.bottom)) <= 1)
  }

  @Test(.enabled(if: hasNotoEmoji, "fonts-noto-color-emoji is not installed"))
  func `the space after an emoji is that of the text`() throws {
    let typesetter = try Typesetter()
    func width(_ text: String) throws -> Int {
      let style = TextStyle(font: "DejaVu Sans")
      return try typesetter.flow(StyledText(text, style: style), by: FlowRules(width: 16384, size: 100 * 64)).width
    }
    let space = try width("a a") - width("aa")
    #expect(space > 20 && space < 50)
    #expect(abs(try width("🎉 a") - width("🎉a") - space) <= 1)
    #expect(abs(try width("a 🎉 a") - width("a🎉a") - 2 * space) <= 2)
  }

  @Test(.enabled(if: hasNotoEmoji, "fonts-noto-color-emoji is not installed"), arguments: UInt64(1)...30)
  func `no emoji extends beyond its run's ink, or beyond the box`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let box = Size(.random(in: 20...900, using: &generator), .random(in: 20...700, using: &generator))
    let text = String(
      (0..<Int.random(in: 1...12, using: &generator)).map { _ in
        "🎉🙂🚀❤🇩🇪👩‍👩‍👧‍👦👍🏽☂ ".randomElement(using: &generator) ?? "🎉"
      })
    let typesetter = try Typesetter()
    let set = try typesetter.set(
      "🙂" + text, by: FitRules(box: box, minimum: 8 * 64, wordBreak: 12 * 64), font: notoEmoji)
    for run in set.runs {
      #expect(Rect(box).contains(run.ink), "seed \(seed)")
      for glyph in run.glyphs {
        let drawing = typesetter.drawing(of: glyph.glyph, font: run.font, size: run.size, shift: Int(glyph.x & 63))
        var bounds = drawing.bounds
        bounds.x += Int(glyph.x >> 6)
        bounds.y += Int(glyph.y >> 6)
        #expect(run.ink.contains(bounds), "seed \(seed), glyph \(glyph.glyph) \(bounds) in \(run.ink)")
      }
    }
  }

  @Test(.enabled(if: hasNotoEmoji, "fonts-noto-color-emoji is not installed"))
  func `a part of a bitmap is the same as that part of the whole`() throws {
    let typesetter = try Typesetter()
    for size: Int32 in [700, 2000, 6976, 30000] {
      let image = try #require(try image(size, typesetter, shift: 16))
      let whole = image.bitmap(in: image.bounds)
      #expect(whole.bounds == image.bounds && whole.pixels.count == image.bounds.size.area)
      let window = Rect(x: image.bounds.x + 3, y: image.bounds.y + 2, width: image.bounds.width / 2, height: 5)
      let part = image.bitmap(in: window)
      #expect(part.bounds == window)
      for y in 0..<5 {
        let start = (y + 2) * image.bounds.width + 3
        #expect(part.pixels[y * window.width..<(y + 1) * window.width] == whole.pixels[start..<start + window.width])
      }
    }
  }

  @Test(.enabled(if: hasNotoEmoji, "fonts-noto-color-emoji is not installed"))
  func `scaling preserves the light of a bitmap at every size`() throws {
    let typesetter = try Typesetter()
    func light(_ size: Int32) throws -> [Double] {
      let image = try #require(try image(size, typesetter))
      var sums = [0.0, 0, 0, 0]
      for pixel in image.bitmap(in: image.bounds).pixels {
        for channel in 0..<3 { sums[channel] += pow2(Double(pixel >> (UInt32(channel) * 8) & 0xFF) / 255) }
        sums[3] += Double(pixel >> 24) / 255
      }
      return sums.map { $0 / pow2(Double(size) / 64) }
    }
    func pow2(_ value: Double) -> Double { value * value }
    let own = try light(109 * 64)
    for size: Int32 in [20 * 64, 55 * 64, 1001, 218 * 64, 500 * 64] {
      let scaled = try light(size)
      for (one, other) in zip(own, scaled) {
        #expect(abs(one - other) < 0.02 * one + 0.002, "\(size): \(scaled) \(own)")
      }
    }
  }

  @Test(
    .enabled(if: hasNotoEmoji, "fonts-noto-color-emoji is not installed"), arguments: [Int32(1), 63, 8192 * 64, .max])
  func `no size causes a trap, and only the visible part is drawn`(size: Int32) throws {
    let typesetter = try Typesetter()
    let image = try #require(try image(size, typesetter))
    let middle = Rect(x: image.bounds.x + image.bounds.width / 2, y: -300, width: 640, height: 480)
    let glyph = image.bitmap(in: middle)
    #expect(middle.contains(glyph.bounds) && glyph.pixels.count == glyph.bounds.size.area)
    #expect(image.bitmap(in: Rect(x: .max / 4, y: 0, width: 10, height: 10)).bounds.isEmpty)
  }

  @Test func `a layered glyph has its colors in order, its ink, and the text's color where requested`() throws {
    let file = TemporaryFile(ColorFont.bytes())
    let typesetter = try Typesetter()
    let run = try run("A", file.path, rules, typesetter)
    let drawing = typesetter.drawing(of: run.glyphs[0].glyph, font: run.font, size: 100 * 64, shift: 0)
    guard case .layers(let layers) = drawing else {
      Issue.record("\(drawing)")
      return
    }
    let (red, blue) = (Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255))
    #expect(layers.map(\.color) == [red, blue, nil])
    #expect(
      layers.map(\.spans.bounds) == [
        Rect(x: 0, y: -80, width: 80, height: 80), Rect(x: 20, y: -60, width: 40, height: 40),
        Rect(x: 30, y: -40, width: 10, height: 10),
      ])
    #expect(layers.map(\.opacity) == [255, 128, 255])
    #expect(drawing.bounds == layers[0].spans.bounds)
    let shaped = try typesetter.fitter(StyledText("A", style: TextStyle(font: file.path)), by: rules).text
    let unit = 65536.0 / 1000
    #expect(shaped.glyphs.map { Int((Double($0.ink.right) / unit).rounded()) } == [800])
    let plain = try self.run("B", file.path, rules, typesetter)
    guard case .spans = typesetter.drawing(of: plain.glyphs[0].glyph, font: plain.font, size: 6400, shift: 0) else {
      Issue.record("B is a plain glyph")
      return
    }
  }

  @Test func `a font with truncated or damaged color tables never traps`() throws {
    let bytes = ColorFont.bytes()
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      var mangled = bytes
      for _ in 0...Int.random(in: 0...6, using: &generator) {
        // The first tables are COLR and CPAL.
        mangled[Int.random(in: 156..<240, using: &generator)] = .random(in: .min ... .max, using: &generator)
      }
      let file = TemporaryFile(mangled)
      let typesetter = try Typesetter()
      let set = try typesetter.set("AB", by: rules, font: file.path)
      for run in set.runs {
        for glyph in run.glyphs { _ = typesetter.drawing(of: glyph.glyph, font: run.font, size: 6400, shift: 0).bounds }
      }
    }
  }
}
