import Geometry
import Layout
import Pictures
import Raster
import Scenes
import Testing
import Typesetting

struct CanvasTests {
  private func draw(_ text: String, _ canvas: Canvas, _ style: BannerStyle = style()) throws -> DisplayList {
    let typesetter = try Typesetter()
    let metrics = DisplayMetrics(pixels: canvas.size)
    let list = try layOut(.banner(Banner(text: text, style: style)), on: metrics, with: typesetter)
    _ = canvas.draw(list, with: typesetter)
    return list
  }

  @Test(arguments: UInt64(1)...12)
  func `The safe area's margin stays plain, and there is ink inside`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let size = Size(.random(in: 80...300, using: &generator), .random(in: 60...240, using: &generator))
    let canvas = Canvas(size: size, format: .xrgb8888)
    let letters = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
      "AjÅgWfy/@ÇQ| \n".randomElement(using: &generator) ?? "x"
    }
    let list = try draw("f" + String(letters), canvas)
    let picture = try canvas.picture()
    let ink = (0..<size.area).filter { picture[$0 % size.width, $0 / size.width] != .nightBlue }
    #expect(!ink.isEmpty, "seed \(seed)")
    #expect(ink.allSatisfy { list.safeArea.holds($0 % size.width, $0 / size.width) }, "seed \(seed)")
  }

  @Test func `An edge is mixed by light, and full coverage is the colour itself`() throws {
    let canvas = Canvas(size: Size(200, 120), format: .xrgb8888)
    _ = try draw("o", canvas, style(.white, on: .black))
    let picture = try canvas.picture()
    let reds = Set(picture.pixels)
    #expect(reds.contains(255) && reds.contains(0))
    #expect(reds.count > 20)
  }

  @Test func `A copy fits a narrower and shorter target, and a wider stride`() throws {
    let canvas = Canvas(size: Size(100, 40), format: .xrgb8888)
    _ = try draw("Hi", canvas)
    let source = canvas.bytes()
    var wide = [UInt8](repeating: 7, count: 512 * 40)
    unsafe wide.withUnsafeMutableBytes { unsafe canvas.copy([Rect(canvas.size)], to: $0, stride: 512) }
    #expect(
      (0..<40).allSatisfy { wide[$0 * 512..<$0 * 512 + 400] == source[$0 * canvas.stride..<$0 * canvas.stride + 400] })
    #expect((0..<40).allSatisfy { wide[$0 * 512 + 400..<$0 * 512 + 512].allSatisfy { $0 == 7 } })
    var short = [UInt8](repeating: 7, count: 1000)
    unsafe short.withUnsafeMutableBytes {
      unsafe canvas.copy([Rect(x: -5, y: -5, width: 5000, height: 5000)], to: $0, stride: 400)
    }
    #expect(Array(short[..<400]) == Array(source[..<400]) && short[800...].allSatisfy { $0 == 7 })
  }

  @Test(arguments: [Size(0, 0), Size(1, 1), Size(-3, 9), Size(7, 2000)])
  func `A canvas of any size draws any list`(size: Size) throws {
    let canvas = Canvas(size: size, format: .rgb565)
    let typesetter = try Typesetter()
    let other = DisplayMetrics(pixels: Size(300, 100))
    let list = try layOut(.banner(Banner(text: "Larger", style: style())), on: other, with: typesetter)
    let damage = canvas.draw(list, with: typesetter)
    #expect(damage.allSatisfy { Rect(canvas.size).contains($0) })
  }

  @Test func `Drawn glyphs are forgotten beyond the limit, and the picture stays the same`() throws {
    let typesetter = try Typesetter()
    let (small, large) = (
      Canvas(size: Size(320, 200), format: .xrgb8888, cacheBytes: 3000), Canvas(size: Size(320, 200), format: .xrgb8888)
    )
    for text in ["The quick brown fox", "jumps over the lazy dog", "The quick brown fox"] {
      let banner = Scene.banner(Banner(text: text, style: style()))
      let list = try layOut(banner, on: DisplayMetrics(pixels: small.size), with: typesetter)
      for canvas in [small, large] { _ = canvas.draw(list, with: typesetter) }
      #expect(small.cachedBytes <= 3000)
      #expect(try small.picture() == large.picture())
    }
    #expect(large.cachedBytes > 3000)
  }

  @Test func `A frame that is streamed around the caches is the same as one that is not`() throws {
    let size = Size(3840, 1100)
    let typesetter = try Typesetter()
    let list = try layOut(
      .banner(Banner(text: "Streamed", style: style())), on: DisplayMetrics(pixels: size), with: typesetter)
    let (streamed, parts) = (Canvas(size: size, format: .xrgb8888), Canvas(size: size, format: .xrgb8888))
    _ = streamed.draw(list, with: typesetter)
    _ = parts.draw(DisplayList(size: size, background: list.background), with: typesetter)
    _ = parts.draw(list, with: typesetter)
    #expect(streamed.bytes() == parts.bytes())
  }
}
