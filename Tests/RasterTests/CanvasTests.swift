import Geometry
import Layout
import Pictures
import Raster
import Scenes
import SeededRandom
import Testing
import Typesetting

struct CanvasTests {
  private func draw(_ text: String, _ canvas: Canvas, _ style: Style = style()) throws -> DisplayList {
    let materials = try RenderResources()
    let metrics = DisplayMetrics(pixels: canvas.size)
    let list = try layOut(View(banner: text, style: style), on: metrics, with: materials)
    _ = canvas.draw(list, with: materials)
    return list
  }

  @Test(arguments: UInt64(1)...12)
  func `The margin outside the safe area stays plain, and there is ink inside`(seed: UInt64) throws {
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

  @Test func `An edge is blended in linear light, and full coverage is the exact color`() throws {
    let canvas = Canvas(size: Size(200, 120), format: .xrgb8888)
    _ = try draw("o", canvas, style(.white, on: .black))
    let picture = try canvas.picture()
    let reds = Set(picture.pixels)
    #expect(reds.contains(255) && reds.contains(0))
    #expect(reds.count > 20)
  }

  @Test(arguments: [0, 4, 64]) func `A frame is the same in memory of any stride and offset`(offset: Int) throws {
    let canvas = Canvas(size: Size(100, 40), format: .xrgb8888)
    let list = try draw("Hi", canvas)
    let source = canvas.bytes()
    var wide = [UInt8](repeating: 7, count: 520 * 40 + 64)
    try paint(list, on: canvas.size, into: &wide, at: offset, stride: 520)
    #expect(
      (0..<40).allSatisfy { row in
        let start = row * 520 + offset
        return wide[start..<start + 400] == source[row * canvas.stride..<row * canvas.stride + 400]
      })
    #expect((0..<39).allSatisfy { wide[$0 * 520 + 400 + offset..<$0 * 520 + 520 + offset].allSatisfy { $0 == 7 } })
  }

  @Test func `A frame with stores that bypass the CPU caches is the same as one without`() throws {
    let size = Size(3840, 1100)
    let materials = try RenderResources()
    let list = try layOut(
      View(banner: "Streamed", style: style()), on: DisplayMetrics(pixels: size), with: materials)
    let streamed = Canvas(size: size, format: .xrgb8888)
    _ = streamed.draw(list, with: materials)
    var memory = [UInt8](repeating: 7, count: streamed.stride * size.height)
    let halves = [Rect(x: 0, y: 0, width: 3840, height: 550), Rect(x: 0, y: 550, width: 3840, height: 550)]
    unsafe memory.withUnsafeMutableBytes {
      unsafe Rasterizer(size: size, format: .xrgb8888).paint(
        list, halves, to: FrameBytes(bytes: $0, stride: streamed.stride), with: materials)
    }
    #expect(memory == streamed.bytes())
  }

  @Test func `Pixels beyond the end of the memory are not written`() throws {
    let canvas = Canvas(size: Size(100, 40), format: .xrgb8888)
    let list = try draw("Hi", canvas)
    var short = [UInt8](repeating: 7, count: 1000)
    try paint(list, on: canvas.size, into: &short, at: 0, stride: 400)
    #expect(short[..<400] == canvas.bytes()[..<400] && short[800...].allSatisfy { $0 == 7 })
    var narrow = [UInt8](repeating: 7, count: 200 * 40)
    try paint(list, on: canvas.size, into: &narrow, at: 0, stride: 200)
    let whole = canvas.bytes()
    #expect(
      (0..<40).allSatisfy { row in
        narrow[row * 200..<row * 200 + 200] == whole[row * canvas.stride..<row * canvas.stride + 200]
      })
  }

  @Test func `A modified framebuffer is detected`() throws {
    let materials = try RenderResources()
    let size = Size(320, 200)
    let rasterizer = Rasterizer(size: size, format: .rgb565)
    let list = try layOut(View(banner: "Here"), on: DisplayMetrics(pixels: size), with: materials)
    var memory = [UInt8](repeating: 0, count: 640 * 200)
    func isThere() -> Bool {
      unsafe memory.withUnsafeMutableBytes {
        unsafe rasterizer.matches(
          list, FrameBytes(bytes: $0, stride: 640), everyRow: 32, with: materials)
      }
    }
    #expect(!isThere())
    unsafe memory.withUnsafeMutableBytes {
      unsafe rasterizer.paint(
        list, [Rect(size)], to: FrameBytes(bytes: $0, stride: 640), with: materials)
    }
    #expect(isThere())
    memory[640 * 96 + 300] ^= 1
    #expect(!isThere())
  }

  private func paint(
    _ list: DisplayList, on size: Size, into memory: inout [UInt8], at offset: Int, stride: Int
  ) throws {
    let materials = try RenderResources()
    let again = try layOut(
      View(banner: "Hi", style: style()), on: DisplayMetrics(pixels: size), with: materials)
    #expect(again == list)
    unsafe memory.withUnsafeMutableBytes {
      let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: $0[offset...])
      let everywhere = Rect(x: -5, y: -5, width: 5000, height: 5000)
      unsafe Rasterizer(size: size, format: .xrgb8888).paint(
        again, [everywhere], to: FrameBytes(bytes: bytes, stride: stride), with: materials)
    }
  }

  @Test(arguments: [Size(0, 0), Size(1, 1), Size(-3, 9), Size(7, 2000)])
  func `A canvas of any size draws any list`(size: Size) throws {
    let materials = try RenderResources()
    let other = DisplayMetrics(pixels: Size(300, 100))
    let list = try layOut(View(banner: "Larger", style: style()), on: other, with: materials)
    for rotation in Rotation.allCases {
      let canvas = Canvas(size: size, format: .rgb565, rotation: rotation)
      let damage = canvas.draw(list, with: materials)
      #expect(damage.allSatisfy { Rect(canvas.size).contains($0) })
    }
  }

  @Test func `Cached glyphs are evicted beyond the limit, and the frame stays the same`() throws {
    let materials = try RenderResources()
    let (small, large) = (
      Canvas(size: Size(320, 200), format: .xrgb8888, cacheBytes: 3000), Canvas(size: Size(320, 200), format: .xrgb8888)
    )
    for text in ["The quick brown fox", "jumps over the lazy dog", "The quick brown fox"] {
      let banner = View(banner: text, style: style())
      let list = try layOut(banner, on: DisplayMetrics(pixels: small.size), with: materials)
      for canvas in [small, large] { _ = canvas.draw(list, with: materials) }
      #expect(small.cachedBytes <= 3000)
      #expect(try small.picture() == large.picture())
    }
    #expect(large.cachedBytes > 3000)
  }
}
