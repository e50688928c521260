import Geometry
import Layout
import Pictures
import Raster
import Scenes
import SeededRandom
import Testing
import Typesetting

/// Comparisons of frames copied from a scroll layer with painted frames.
struct StripPictureTests {
  private static let short = "Fg7 jÅ 🎈"
  private static let long = String(repeating: "Gate 17 is boarding now, ", count: 40)
  private static let leftwards = "שלום עולם, ברוכים הבאים"

  /// Checks that a painted frame updated by copies always equals a fully painted still list.
  private func expectCopies(
    of list: DisplayList, _ format: PixelFormat, _ rotation: Rotation, at distances: [Int],
    _ materials: RenderResources,
    still: ((Int) throws -> DisplayList)? = nil
  ) throws -> ScrollLayerTiles {
    let strip = try #require(list.strip)
    let picture = ScrollLayerTiles(strip, format: format, rotation: rotation)
    let size = rotation.turn(list.size)
    let stride = (size.width * format.bytesPerPixel + 63) & ~63
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: stride * size.height, alignment: 64)
    defer { unsafe memory.deallocate() }
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    let frame = unsafe FrameBytes(bytes: memory, stride: stride)
    Rasterizer(size: size, format: format, rotation: rotation)
      .paint(list, [Rect(size)], to: frame, with: materials)
    let canvas = Canvas(size: size, format: format, rotation: rotation)
    for distance in distances {
      picture.draw(after: distance, on: list.size, to: frame, with: materials)
      _ = canvas.draw(try still?(distance) ?? list.seen(after: distance), with: materials)
      let copied = try unsafe RGBImage(
        size: size, format: format, stride: stride, copying: UnsafeRawBufferPointer(memory))
      #expect(copied == (try canvas.picture()), "after \(distance) pixels")
    }
    return picture
  }

  @Test(arguments: Rotation.allCases, [short, long, leftwards])
  func `Copied frames equal painted frames at each position and rotation`(rotation: Rotation, text: String) throws {
    let materials = try RenderResources()
    for (format, size) in [
      (PixelFormat.xrgb8888, Size(611, 240)), (.rgb565, Size(300, 333)), (.xrgb8888, Size(640, 96)),
    ] {
      let view = View(.ticker(Ticker(text)), style: style(Color(red: 250, green: 120, blue: 10)))
      let list = try layOut(view, on: DisplayMetrics(pixels: size), with: materials)
      let length = try #require(list.strip?.length)
      let distances = [
        0, 1, 2, 7, 64, 255, 256, 257, length - size.width, length - 3, length, length + 5, 9 * length + 1,
      ]
      _ = try expectCopies(of: list, format, rotation, at: distances, materials)
    }
  }

  @Test func `A scroll layer that fits in memory is painted once for all rounds`() throws {
    let materials = try RenderResources()
    let view = View(.ticker(Ticker(Self.long)), style: style())
    let list = try layOut(view, on: DisplayMetrics(pixels: Size(320, 240)), with: materials)
    let length = try #require(list.strip?.length)
    let picture = try expectCopies(
      of: list, .xrgb8888, .none, at: Array(stride(from: 0, to: 3 * length, by: 301)), materials)
    #expect(picture.paintedParts == length / ScrollLayer.tileExtent)
  }

  @Test func `A scroll layer that exceeds its memory limit is painted tile by tile within the limit`() throws {
    let materials = try RenderResources()
    let view = View(.ticker(Ticker(String(repeating: Self.long, count: 20))), style: style())
    let list = try layOut(view, on: DisplayMetrics(pixels: Size(3840, 2160), scale: 2), with: materials)
    let strip = try #require(list.strip)
    let picture = ScrollLayerTiles(strip, format: .xrgb8888, rotation: .none)
    #expect(strip.length * strip.window.height * 4 > 100 << 20 && picture.byteCount < 14 << 20)
    let small = try layOut(view, on: DisplayMetrics(pixels: Size(800, 480)), with: materials)
    let length = try #require(small.strip?.length)
    let distances = Array(stride(from: length - 1500, to: length + 1500, by: 250)) + [200_000, 0, 3]
    let kept = try expectCopies(of: small, .xrgb8888, .none, at: distances, materials)
    #expect(kept.byteCount <= 8 << 20)
    let before = kept.paintedParts
    _ = try expectCopies(of: small, .rgb565, .quarter, at: distances, materials)
    #expect(before < distances.count * 6)
  }

  @Test func `A mirror's scroll layer is copied without changing the mirror's edges`() throws {
    let materials = try RenderResources()
    let mirrored = MirroredView(View(.ticker(Ticker(Self.long)), style: style()), pixels: Size(500, 500), scale: 1)
    let list = try layOut(View(.mirror(mirrored)), on: DisplayMetrics(pixels: Size(700, 400)), with: materials)
    for rotation in Rotation.allCases {
      _ = try expectCopies(of: list, .xrgb8888, rotation, at: [0, 3, 350, 4000], materials)
    }
  }

  // MARK: Columns

  /// Returns a text with all Markdown elements, and letters that are taller than their background.
  private static func text(_ pictures: [String]) -> String {
    let high = String(repeating: "`ẤỆ|jỖ` and ~~Ấy~~ 🎈 *Ấfj* `ẮỐ|Ậ`\n\n", count: 20)
    return high + SceneSample.text + "\n\n" + pictures.map { "![a picture](\($0))" }.joined(separator: "\n\n")
  }

  /// Returns the list of a text scrolled to `row` of `free` rows.
  private func column(
    _ text: String, _ size: Size, at row: Int = 0, of free: Int = 1, _ style: Style, _ materials: RenderResources
  ) throws -> DisplayList {
    let place = Place.share(Double(row) / Double(free))
    let view = View(.markdown(MarkdownText(text, flow: .scroll), place), style: style)
    return try layOut(view, on: DisplayMetrics(pixels: size), with: materials)
  }

  @Test(arguments: Rotation.allCases, [PixelFormat.xrgb8888, .rgb565])
  func `A column's copied frames equal painted frames at each row and rotation`(
    rotation: Rotation, format: PixelFormat
  ) throws {
    var generator = SeededGenerator(seed: 17)
    let files = try PictureFiles(&generator)
    let materials = try RenderResources()
    let text = Self.text(files.paths)
    for (size, style) in [
      (Size(640, 480), style()), (Size(333, 301), style(Color(red: 30, green: 20, blue: 0), on: .white)),
    ] {
      let end = try column(text, size, at: 1, style, materials)
      let free = try #require(end.strip?.distance)
      let asked = Array(stride(from: 0, to: free, by: 53)) + [free, 255, 256, 257, 1, 0]
      // A position that would cut the last line moves to the end.
      let rows = try asked.filter { row in
        let distance = try column(text, size, at: row, of: free, style, materials).strip?.distance
        #expect(distance == row || distance == free && free - row < size.height / 3)
        return distance == row
      }
      #expect(rows.count > asked.count - 4)
      let picture = try expectCopies(of: end, format, rotation, at: rows, materials) { row in
        try column(text, size, at: row, of: free, style, materials)
      }
      #expect(picture.paintedParts <= (end.strip?.length ?? 0) / ScrollLayer.tileExtent)
    }
  }

  @Test(arguments: [Rotation.none, .quarter])
  func `Letters taller than their background look the same at each clip edge`(
    rotation: Rotation
  ) throws {
    let materials = try RenderResources()
    let dark = style(Color(red: 30, green: 20, blue: 0), on: .white)
    let line = try layOut(
      View(.ticker(Ticker("Åfj")), style: dark), on: DisplayMetrics(pixels: Size(640, 240)), with: materials)
    let text = try #require(line.strip?.items.first?.text)
    let letters = text.ink
    let box = Rect(x: letters.x - 5, y: letters.y + 9, width: letters.width + 10, height: letters.height - 18)
    let fill = FillItem(rect: box, color: Color(red: 90, green: 160, blue: 200))
    let window = Rect(x: 20, y: 30, width: 500, height: 64)
    let strip = ScrollLayer(
      window: window, items: [.fill(fill), .text(text)], length: 512, direction: .up, ground: .white)
    var list = DisplayList(size: line.size, background: .white, items: strip.items(from: 0, in: window))
    list.strip = strip
    let rows = Array(0..<letters.bottom)
    try #require(letters.height > window.height && box.right < window.width)
    _ = try expectCopies(of: list, .xrgb8888, rotation, at: rows, materials)
  }

  @Test func `A column takes little more memory than its visible part`() throws {
    let materials = try RenderResources()
    let text = (1...400).map { "## Part \($0)\n\nIt goes on and on, and has an end at last." }.joined(separator: "\n\n")
    let size = Size(3840, 2160)
    let list = try column(text, size, style(), materials)
    let strip = try #require(list.strip)
    #expect(strip.length > 20 * strip.window.height)
    let picture = ScrollLayerTiles(strip, format: .xrgb8888, rotation: .quarter)
    #expect(picture.byteCount < (strip.window.height + 2 * ScrollLayer.tileExtent + 1) * (strip.window.width + 16) * 4)
    // Rows that scroll past are painted once.
    let small = try column(text, Size(800, 480), style(), materials)
    let rows = Array(stride(from: 0, to: 4000, by: 97))
    let kept = try expectCopies(of: small, .xrgb8888, .none, at: rows, materials)
    #expect(kept.paintedParts <= (4000 + 480) / ScrollLayer.tileExtent + 1)
  }
}
