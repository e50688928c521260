import Geometry
import Layout
import Pictures
import Raster
import SeededRandom
import Testing
import Typesetting

struct PictureItemTests {
  private func draw(
    _ list: DisplayList, _ materials: RenderResources, _ format: PixelFormat = .xrgb8888, _ rotation: Rotation = .none
  ) throws -> RGBImage {
    let canvas = Canvas(size: rotation.turn(list.size), format: format, rotation: rotation)
    _ = canvas.draw(list, with: materials)
    return try canvas.picture()
  }

  /// Returns resources whose cache keeps whole images, or only the visible part of each.
  private func materials(_ seed: UInt64) throws -> RenderResources {
    let limit = seed.isMultiple(of: 2) ? 4000 : ImageCache.defaultBytes
    return try RenderResources(pictures: ImageCache(limit: limit, reader: .anywhere))
  }

  @Test(arguments: UInt64(1)...16)
  func `Images between fills and gradients match a slow reference in each rotation`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let materials = try materials(seed)
    let files = try PictureFiles(&generator)
    defer { withExtendedLifetime(files) {} }
    let size = Size(.random(in: 1...70, using: &generator), .random(in: 1...70, using: &generator))
    let names = try files.load(on: materials.pictures)
    var lists = RandomLists(size: size, pictures: names, generator: generator)
    let list = lists.list()
    let bitmaps = Dictionary(uniqueKeysWithValues: zip(names, files.bitmaps))
    let picture = try draw(list, materials)
    let reference = ReferencePainter(list, pictures: bitmaps)
    let wrong = picture.differences(from: try reference.picture(), tolerance: 12)
    #expect(wrong.isEmpty, "seed \(seed), first at \(wrong.first ?? (0, 0)) of \(list)")
    let coarse = try draw(list, materials, .rgb565)
    for rotation in Rotation.allCases {
      #expect(try draw(list, materials, .xrgb8888, rotation) == picture.turned(rotation), "seed \(seed), \(rotation)")
      #expect(try draw(list, materials, .rgb565, rotation) == coarse.turned(rotation), "seed \(seed), \(rotation)")
    }
  }

  @Test(arguments: UInt64(1)...6)
  func `An image in RGB565 has the upper bits of the image with 8 bits per channel`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let materials = try materials(seed)
    let files = try PictureFiles(&generator)
    defer { withExtendedLifetime(files) {} }
    for name in try files.load(on: materials.pictures) {
      let frame = Rect(x: -5, y: 3, width: 50, height: 41)
      let clip = Rect(x: 2, y: 0, width: 60, height: 40)
      let item = DisplayItem.picture(ImageItem(picture: name, frame: frame, clip: clip))
      let list = DisplayList(size: Size(64, 48), background: .black, items: [item])
      let (fine, coarse) = (try draw(list, materials), try draw(list, materials, .rgb565))
      let wrong = (0..<list.size.area).filter { spot in
        let (whole, cut) = (fine[spot % 64, spot / 64], coarse[spot % 64, spot / 64])
        return whole.red >> 3 != cut.red >> 3 || whole.green >> 2 != cut.green >> 2 || whole.blue >> 3 != cut.blue >> 3
      }
      #expect(wrong.isEmpty && Set(fine.pixels).count > 9, "seed \(seed)")
    }
  }

  @Test(arguments: Rotation.allCases, UInt64(1)...10)
  func `Painting the damage of any list equals painting the whole list`(
    rotation: Rotation, seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let (materials, others) = (try materials(seed), try self.materials(1))
    let files = try PictureFiles(&generator)
    defer { withExtendedLifetime(files) {} }
    let size = Size(.random(in: 30...200, using: &generator), .random(in: 30...120, using: &generator))
    let format: PixelFormat = seed.isMultiple(of: 3) ? .rgb565 : .xrgb8888
    let kept = Canvas(size: size, format: format, rotation: rotation)
    var lists = RandomLists(size: kept.pictureSize, generator: generator)
    lists.pictures = try files.load(on: materials.pictures)
    #expect(try files.load(on: others.pictures) == lists.pictures)
    for materials in [materials, others] {
      lists.lines = try ["Gate 17", "AVA", "jÅg"].flatMap { text in
        let rules = FitRules(box: Size(120, 40), minimum: 8 * 64, wordBreak: 12 * 64)
        return try materials.typesetter.set(text, by: rules, font: dejaVu).runs
      }
    }
    var list = lists.list()
    var before = try kept.picture()
    for step in 0..<8 {
      let damage = kept.draw(list, with: materials)
      let fresh = Canvas(size: size, format: format, rotation: rotation)
      _ = fresh.draw(list, with: others)
      let after = try kept.picture()
      #expect(after == (try fresh.picture()), "seed \(seed), step \(step)")
      let uncovered = after.differences(from: before).filter { spot in !damage.contains { $0.holds(spot.x, spot.y) } }
      #expect(step == 0 || uncovered.isEmpty, "seed \(seed), step \(step)")
      before = after
      list = lists.changed(list)
    }
  }

  @Test func `Adding or removing an item below others damages only the item's area`() throws {
    let fills = (0..<5).map { place in
      DisplayItem.fill(FillItem(rect: Rect(x: 20 * place, y: 0, width: 10, height: 10), color: .white))
    }
    let materials = try RenderResources()
    let rasterizer = Rasterizer(size: Size(100, 60), format: .xrgb8888)
    let without = DisplayList(size: rasterizer.size, background: .black, items: fills)
    var with = without
    let panel = Rect(x: 5, y: 40, width: 30, height: 10)
    with.items.insert(.fill(FillItem(rect: panel, color: .nightBlue)), at: 1)
    #expect(rasterizer.difference(from: without, to: with, with: materials) == [panel])
    #expect(rasterizer.difference(from: with, to: without, with: materials) == [panel])
  }

  @Test func `An image without its file shows what is behind it`() throws {
    var generator = SeededGenerator(seed: 1)
    let materials = try materials(1)
    var files: PictureFiles? = try PictureFiles(&generator)
    let name = try #require(try files?.load(on: materials.pictures).first)
    files = nil
    let size = Size(40, 30)
    let item = DisplayItem.picture(ImageItem(picture: name, frame: Rect(size)))
    let list = DisplayList(size: size, background: .nightBlue, items: [item])
    #expect(try draw(list, materials) == draw(DisplayList(size: size, background: .nightBlue), materials))
  }
}
