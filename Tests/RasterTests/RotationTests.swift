import Geometry
import Layout
import Pictures
import Raster
import Scenes
import SeededRandom
import Testing
import Typesetting

struct RotationTests {
  @Test func `A quarter turn moves the top to the right, and the inverse turn moves it back`() {
    let size = Size(20, 10)
    let corner = Rect(x: 0, y: 0, width: 3, height: 1)
    #expect(Rotation.quarter.turn(corner, in: size) == Rect(x: 9, y: 0, width: 1, height: 3))
    #expect(Rotation.half.turn(corner, in: size) == Rect(x: 17, y: 9, width: 3, height: 1))
    #expect(Rotation.threeQuarters.turn(corner, in: size) == Rect(x: 0, y: 17, width: 1, height: 3))
    for rotation in Rotation.allCases {
      let turned = rotation.turn(corner, in: size)
      #expect(rotation.inverse.turn(turned, in: rotation.turn(size)) == corner)
    }
  }

  /// Odd sizes, wide and narrow, and one with several blocks in each direction.
  static let sizes = [
    Size(64, 48), Size(133, 77), Size(7, 211), Size(211, 7), Size(1, 1), Size(401, 203), Size(203, 401), Size(1000, 16),
  ]

  @Test(arguments: Rotation.allCases, sizes)
  func `A rotated frame equals the rotated upright frame`(rotation: Rotation, size: Size) throws {
    for format in [PixelFormat.xrgb8888, .rgb565] {
      let materials = try RenderResources()
      let banner = View(banner: "Fg7 jÅ\nleft", style: style(Color(red: 250, green: 120, blue: 10)))
      let upright = Canvas(size: rotation.inverse.turn(size), format: format)
      let turned = Canvas(size: size, format: format, rotation: rotation)
      #expect(turned.pictureSize == upright.size)
      let list = try layOut(banner, on: DisplayMetrics(pixels: upright.size), with: materials)
      _ = upright.draw(list, with: materials)
      #expect(turned.draw(list, with: materials) == [Rect(size)])
      let picture = try turned.picture()
      #expect(picture == (try upright.picture().turned(rotation)))
      if size.shortSide > 40 { #expect(Set(picture.pixels).count > 3, "the frame is not empty") }
    }
  }

  @Test(arguments: Rotation.allCases, UInt64(1)...6)
  func `Painting the damage equals painting the whole, and damage contains every change`(
    rotation: Rotation, seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let size = Size(.random(in: 30...300, using: &generator), .random(in: 30...160, using: &generator))
    let format: PixelFormat = seed.isMultiple(of: 2) ? .rgb565 : .xrgb8888
    let materials = try RenderResources()
    let kept = Canvas(size: size, format: format, rotation: rotation)
    var before = try kept.picture()
    for step in 0..<5 {
      let list = randomList(kept.pictureSize, &generator, materials)
      let damage = kept.draw(list, with: materials)
      let fresh = Canvas(size: size, format: format, rotation: rotation)
      _ = fresh.draw(list, with: materials)
      let after = try kept.picture()
      #expect(after == (try fresh.picture()), "seed \(seed), step \(step)")
      let uncovered = after.differences(from: before).filter { spot in !damage.contains { $0.holds(spot.x, spot.y) } }
      #expect(step == 0 || uncovered.isEmpty, "seed \(seed), step \(step)")
      #expect(damage.allSatisfy { Rect(size).contains($0) }, "seed \(seed), step \(step)")
      before = after
    }
  }

  /// Returns lines of letters and emoji in a few colors, so that random lists share some items.
  private func randomList(_ size: Size, _ generator: inout SeededGenerator, _ materials: RenderResources) -> DisplayList
  {
    let words = ["Gate", "17", "18", "AVA", "jÅg", "🎉", "🙂!", "W"]
    let colors = [Color.white, .black, Color(red: 200, green: 30, blue: 90)]
    var list = DisplayList(size: size, background: .nightBlue)
    for place in 0..<3 {
      let word = words.randomElement(using: &generator) ?? ""
      let font = hasNotoEmoji && word.unicodeScalars.allSatisfy { $0.value > 0x1000 } ? notoEmoji : dejaVu
      let rules = FitRules(box: Size(size.width, max(1, size.height / 3)), minimum: 8 * 64, wordBreak: 12 * 64)
      guard let text = try? materials.typesetter.set(word, by: rules, font: font) else { continue }
      for var run in text.runs {
        run.ink.y += place * size.height / 3
        for index in run.glyphs.indices { run.glyphs[index].y += Int32(place * size.height / 3 * 64) }
        list.items.append(.text(TextItem(run: run, color: colors.randomElement(using: &generator) ?? .white)))
      }
    }
    return list
  }

  @Test(arguments: Rotation.allCases)
  func `A modified framebuffer is detected in each rotation`(rotation: Rotation) throws {
    let materials = try RenderResources()
    let size = Size(320, 200)
    let rasterizer = Rasterizer(size: size, format: .xrgb8888, rotation: rotation)
    let metrics = DisplayMetrics(pixels: rasterizer.pictureSize)
    let list = try layOut(View(banner: "Here", style: style()), on: metrics, with: materials)
    var memory = [UInt8](repeating: 0, count: 1280 * 200)
    func isThere() -> Bool {
      unsafe memory.withUnsafeMutableBytes {
        unsafe rasterizer.matches(list, FrameBytes(bytes: $0, stride: 1280), everyRow: 32, with: materials)
      }
    }
    #expect(!isThere())
    unsafe memory.withUnsafeMutableBytes {
      unsafe rasterizer.paint(list, [Rect(size)], to: FrameBytes(bytes: $0, stride: 1280), with: materials)
    }
    #expect(isThere())
    memory[1280 * 96 + 1200] ^= 1
    #expect(!isThere())
  }
}

extension RGBImage {
  /// Returns the image rotated clockwise, pixel by pixel.
  func turned(_ rotation: Rotation) throws -> RGBImage {
    let target = rotation.turn(size)
    var result = [UInt8](repeating: 0, count: pixels.count)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = rotation.turn(Rect(x: x, y: y, width: 1, height: 1), in: size)
        let (from, to) = ((y * size.width + x) * 3, (place.y * target.width + place.x) * 3)
        for channel in 0..<3 { result[to + channel] = pixels[from + channel] }
      }
    }
    return try RGBImage(size: target, rgb: result)
  }
}
