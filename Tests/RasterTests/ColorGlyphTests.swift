import Geometry
import Layout
import Pictures
import Scenes
import Testing
import Typesetting

@testable import Raster

struct ColorGlyphTests {
  private func draw(_ text: String, _ canvas: Canvas, _ style: Style) throws -> (DisplayList, RGBImage) {
    let materials = try RenderResources()
    let metrics = DisplayMetrics(pixels: canvas.pictureSize)
    let list = try layOut(View(banner: text, style: style), on: metrics, with: materials)
    _ = canvas.draw(list, with: materials)
    return (list, try canvas.picture())
  }

  @Test(
    .enabled(if: hasNotoEmoji, "fonts-noto-color-emoji is not installed"), arguments: [PixelFormat.xrgb8888, .rgb565])
  func `An emoji has its own colors regardless of the text's color`(format: PixelFormat) throws {
    let size = Size(300, 240)
    let (_, red) = try draw(
      "🍏", Canvas(size: size, format: format), style(Color(red: 255, green: 0, blue: 0), font: notoEmoji))
    let (_, white) = try draw("🍏", Canvas(size: size, format: format), style(font: notoEmoji))
    #expect(red == white)
    let middle = white[150, 130]
    #expect(middle.green > middle.red && middle.green > middle.blue + 40, "\(middle)")
    #expect(white[2, 2].blue > white[2, 2].red, "the background is visible")
  }

  @Test(.enabled(if: hasNotoEmoji, "fonts-noto-color-emoji is not installed"), arguments: Rotation.allCases)
  func `A bitmap glyph that is too large to cache looks the same as a cached one`(rotation: Rotation) throws {
    for format in [PixelFormat.xrgb8888, .rgb565] {
      let large = Canvas(size: Size(640, 400), format: format, rotation: rotation)
      let small = Canvas(size: Size(640, 400), format: format, rotation: rotation, cacheBytes: 1 << 17)
      let (_, kept) = try draw("🎉", large, style(font: notoEmoji))
      let (_, drawn) = try draw("🎉", small, style(font: notoEmoji))
      #expect(kept == drawn)
      #expect(large.cachedBytes > 1 << 18 && small.cachedBytes <= 1 << 17)
    }
  }

  @Test func `Layers are painted in order in their colors, including the text's color`() throws {
    let file = TemporaryFile(ColorFont.bytes())
    let green = Color(red: 0, green: 255, blue: 0)
    for format in [PixelFormat.xrgb8888, .rgb565] {
      let (list, picture) = try draw(
        "A", Canvas(size: Size(200, 200), format: format), style(green, on: .black, font: file.path))
      let run = try #require(list.items.first?.text).run
      let em = Double(run.size) / 64
      func at(_ x: Double, _ y: Double) -> Color {
        picture[Int(Double(run.glyphs[0].x) / 64 + x * em), Int(Double(run.glyphs[0].y) / 64 - y * em)]
      }
      #expect(at(0.1, 0.1) == Color(red: 255, green: 0, blue: 0))
      #expect(at(0.35, 0.35) == green)
      let mixed = at(0.5, 0.5)
      #expect(mixed.red > 160 && mixed.blue > 160 && mixed.green < 12, "half of blue's light on red: \(mixed)")
      #expect(at(0.85, 0.1) == .black)
    }
  }

  @Test func `A translucent pixel adds its light to the transmitted background`() {
    let ground = Color(red: 100, green: 0, blue: 255)
    #expect(mix(0, on: ground) == ground)
    #expect(mix(0xFF11_2233, on: ground) == Color(red: 0x11, green: 0x22, blue: 0x33))
    // Half of white: 180 has half the light of 255.
    #expect(mix(0x80B4_B4B4, on: .black) == Color(red: 180, green: 180, blue: 180))
    #expect(mix(0x80B4_B4B4, on: .white).red >= 254)
    #expect(mix(0x80FF_FFFF, on: .white) == .white, "a channel above the opacity is clamped to white")
    for value in UInt32(0)...255 {
      let opaque = 0xFF00_0000 | value * 0x010101
      #expect(UInt32(opaque: opaque) == UInt32(mix(opaque, on: .nightBlue)))
      #expect(UInt16(opaque: opaque) == UInt16(mix(opaque, on: .nightBlue)))
    }
  }

  @Test func `A run's own color replaces the message's color`() throws {
    let materials = try RenderResources()
    let size = Size(120, 80)
    let rules = FitRules(box: size, minimum: 640, wordBreak: 640)
    var run = try #require(try materials.typesetter.set("o", by: rules, font: dejaVu).runs.first)
    #expect(run.color == nil)
    run.color = Color(red: 255, green: 0, blue: 0)
    let canvas = Canvas(size: size, format: .xrgb8888)
    let item = DisplayItem.text(TextItem(run: run, color: run.color ?? .white))
    let list = DisplayList(size: size, background: .black, items: [item])
    _ = canvas.draw(list, with: materials)
    let picture = try canvas.picture()
    #expect((0..<size.area).allSatisfy { picture[$0 % 120, $0 / 120].green == 0 })
  }
}
