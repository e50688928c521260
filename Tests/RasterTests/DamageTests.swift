import Geometry
import Layout
import Raster
import Scenes
import SeededRandom
import Testing
import Typesetting

struct DamageTests {
  private static let words = ["Gate", "17", "18", "front", "north", "AVA", "fi", "e\u{301}", "jÅg", "W\n", "Привет"]

  /// Returns successive messages of a display. Most differ from the previous one by a word, some completely.
  private func messages(_ generator: inout SeededGenerator) -> [View] {
    var words = ["Welcome", "to", "Gate", "17"]
    var look = style()
    return (0..<6).map { _ in
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: look = style(Color(red: .random(in: 0...255, using: &generator), green: 9, blue: 80), on: look.background)
      case 1: look = style(.black, on: [.white, .nightBlue].randomElement(using: &generator) ?? .white)
      case 2: words = []
      case 3: words.append(Self.words.randomElement(using: &generator) ?? "")
      default:
        let place = Int.random(in: 0...words.count, using: &generator)
        let word = Self.words.randomElement(using: &generator) ?? ""
        if place < words.count { words[place] = word } else { words.append(word) }
      }
      return View(banner: words.joined(separator: " "), style: look)
    }
  }

  @Test(arguments: UInt64(1)...16)
  func `Damage contains every changed pixel and repairs each of two alternating buffers`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let size = Size(.random(in: 60...200, using: &generator), .random(in: 40...130, using: &generator))
    let format: PixelFormat = seed.isMultiple(of: 3) ? .rgb565 : .xrgb8888
    let materials = try RenderResources()
    let kept = Canvas(size: size, format: format)
    let rasterizer = Rasterizer(size: size, format: format)
    var buffers = Array(repeating: [UInt8](repeating: 0xAA, count: kept.stride * size.height), count: 2)
    var shown: [DisplayList?] = [nil, nil]
    var before = try kept.picture()
    for (step, banner) in messages(&generator).enumerated() {
      let list = try layOut(banner, on: DisplayMetrics(pixels: size), with: materials)
      let damage = kept.draw(list, with: materials)
      let stale = rasterizer.difference(from: shown[step % 2], to: list, with: materials)
      unsafe buffers[step % 2].withUnsafeMutableBytes {
        unsafe rasterizer.paint(
          list, stale, to: FrameBytes(bytes: $0, stride: kept.stride), with: materials)
      }
      shown[step % 2] = list
      let fresh = Canvas(size: size, format: format)
      _ = fresh.draw(list, with: materials)
      let after = try fresh.picture()
      #expect(try kept.picture() == after, "seed \(seed), step \(step)")
      let uncovered = after.differences(from: before).filter { spot in !damage.contains { $0.holds(spot.x, spot.y) } }
      #expect(step == 0 || uncovered.isEmpty, "seed \(seed), step \(step)")
      #expect(visible(buffers[step % 2], kept) == visible(fresh.bytes(), kept), "seed \(seed), step \(step)")
      before = after
    }
  }

  private func visible(_ bytes: [UInt8], _ canvas: Canvas) -> [UInt8] {
    let row = canvas.size.width * canvas.format.bytesPerPixel
    return (0..<canvas.size.height).flatMap { bytes[$0 * canvas.stride..<$0 * canvas.stride + row] }
  }

  @Test func `Damage rectangles never overlap and stay inside the display`() throws {
    let materials = try RenderResources()
    let canvas = Canvas(size: Size(300, 200), format: .xrgb8888)
    for text in ["one two\nthree", "one too\nthree", "one too\nthrey", "x", ""] {
      let banner = View(banner: text, style: style())
      let list = try layOut(banner, on: DisplayMetrics(pixels: canvas.size), with: materials)
      let damage = canvas.draw(list, with: materials)
      for (place, rect) in damage.enumerated() {
        #expect(Rect(canvas.size).contains(rect))
        #expect(damage[(place + 1)...].allSatisfy { $0.intersection(rect).isEmpty })
      }
    }
  }

  @Test func `A digit damages little, an equal list nothing, and an invalidated canvas everything`() throws {
    let materials = try RenderResources()
    let canvas = Canvas(size: Size(640, 360), format: .xrgb8888)
    func list(_ text: String) throws -> DisplayList {
      let banner = View(banner: text, style: style())
      return try layOut(banner, on: DisplayMetrics(pixels: canvas.size), with: materials)
    }
    #expect(canvas.draw(try list("Gate 17 is boarding now"), with: materials) == [Rect(canvas.size)])
    let damage = canvas.draw(try list("Gate 18 is boarding now"), with: materials)
    #expect(damage.count == 1)
    #expect(damage[0].width * damage[0].height < canvas.size.area / 10)
    #expect(canvas.draw(try list("Gate 18 is boarding now"), with: materials).isEmpty)
    canvas.invalidate()
    #expect(canvas.draw(try list("Gate 18 is boarding now"), with: materials) == [Rect(canvas.size)])
  }
}
