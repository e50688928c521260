import Geometry
import Layout
import Pictures
import Raster
import Scenes
import SeededRandom
import Testing

struct ShapeTests {
  private let materials: RenderResources

  init() throws { materials = try RenderResources() }

  private func draw(
    _ list: DisplayList, _ format: PixelFormat = .xrgb8888, _ rotation: Rotation = .none
  ) throws -> RGBImage {
    let canvas = Canvas(size: rotation.turn(list.size), format: format, rotation: rotation)
    _ = canvas.draw(list, with: materials)
    return try canvas.picture()
  }

  @Test(arguments: UInt64(1)...16)
  func `Fills and gradients match a slow reference in each rotation`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let size = Size(.random(in: 1...70, using: &generator), .random(in: 1...70, using: &generator))
    var lists = RandomLists(size: size, generator: generator)
    let list = lists.list()
    let picture = try draw(list)
    let reference = ReferencePainter(list)
    // Tolerates rounding and corner samples: between black and white, 1/255 of the light is 16 values.
    let wrong = picture.differences(from: try reference.picture(), tolerance: 12)
    #expect(wrong.isEmpty, "seed \(seed), first at \(wrong.first ?? (0, 0)) of \(list)")
    for rotation in Rotation.allCases {
      #expect(try draw(list, .xrgb8888, rotation) == picture.turned(rotation), "seed \(seed), \(rotation)")
      #expect(try draw(list, .rgb565, rotation) == draw(list, .rgb565).turned(rotation), "seed \(seed), \(rotation)")
    }
  }

  @Test func `Square corners are exact, and a fill covers its rectangle to the pixel`() throws {
    let rect = Rect(x: 3, y: 5, width: 50, height: 20)
    let red = Color(red: 255, green: 0, blue: 0)
    for format in [PixelFormat.xrgb8888, .rgb565] {
      let item = DisplayItem.fill(FillItem(rect: rect, color: red))
      let picture = try draw(DisplayList(size: Size(80, 40), background: .black, items: [item]), format)
      for spot in 0..<3200 {
        let (x, y) = (spot % 80, spot / 80)
        #expect(picture[x, y] == (rect.holds(x, y) ? red : .black))
      }
    }
  }

  @Test(arguments: [1, 2, 3, 7, 20, 64])
  func `A disc covers its area and is symmetric in all corners`(radius: Int) throws {
    let side = 2 * radius
    let rect = Rect(x: 1, y: 1, width: side, height: side)
    let item = DisplayItem.fill(FillItem(rect: rect, color: .white, cornerRadius: .max))
    let picture = try draw(DisplayList(size: Size(side + 2, side + 2), background: .black, items: [item]))
    var light = 0.0
    for y in 0..<side + 2 {
      for x in 0..<side + 2 {
        let value = picture[x, y]
        #expect(value == picture[side + 1 - x, y] && value == picture[x, side + 1 - y])
        light += Double(value.red) * Double(value.red) / (255 * 255)
      }
    }
    let area = Double.pi * Double(radius * radius)
    #expect(abs(light - area) < 0.01 * area + 0.05, "\(light) for \(area)")
  }

  @Test func `A gradient begins and ends with its colors, and RGB565 preserves its mean`() throws {
    let size = Size(640, 64)
    let dark = Color(red: 0, green: 0, blue: 0)
    let item = GradientItem(rect: Rect(size), from: dark, to: .white, axis: .horizontal)
    let list = DisplayList(size: size, background: .nightBlue, items: [.gradient(item)])
    let (fine, coarse) = (try draw(list), try draw(list, .rgb565))
    for picture in [fine, coarse] { #expect(picture[0, 9] == .black && picture[639, 9] == .white) }
    for block in stride(from: 0, to: 640, by: 16) {
      func mean(_ picture: RGBImage) -> Double {
        (0..<16 * 16).reduce(0) { $0 + Double(picture[block + $1 % 16, $1 / 16].green) } / 256
      }
      #expect(abs(mean(fine) - mean(coarse)) < 1, "at \(block)")
    }
    #expect(Set((0..<4).map { coarse[301, $0].red }).count == 2, "adjacent rows are dithered differently")
  }

  @Test func `Text is blended for the panel below it, not for the display's background`() throws {
    let size = Size(240, 80)
    func picture(_ background: Color, _ panel: Color?) throws -> RGBImage {
      var list = try textList("Ag", size, background)
      if let panel { list.items.insert(.fill(FillItem(rect: Rect(size), color: panel)), at: 0) }
      return try draw(list)
    }
    #expect(try picture(.black, .white) == picture(.white, nil))
    #expect(try picture(.white, .nightBlue) == picture(.nightBlue, nil))
  }

  private func textList(_ text: String, _ size: Size, _ background: Color) throws -> DisplayList {
    var list = try layOut(
      View(banner: text, style: style(.black, on: background)), on: DisplayMetrics(pixels: size), with: materials)
    list.background = background
    return list
  }

  @Test func `A clip cuts text exactly at the pixel`() throws {
    let size = Size(300, 100)
    let whole = try textList("Clipped", size, .white)
    let clip = Rect(x: 60, y: 30, width: 120, height: 37)
    var cut = whole
    cut.items = whole.items.compactMap(\.text).map { .text(TextItem(run: $0.run, color: $0.color, clip: clip)) }
    let (all, part) = (try draw(whole), try draw(cut))
    for spot in 0..<size.area {
      let (x, y) = (spot % size.width, spot / size.width)
      #expect(part[x, y] == (clip.holds(x, y) ? all[x, y] : .white))
    }
  }
}
