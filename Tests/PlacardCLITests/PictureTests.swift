import Geometry
import JSON
import Pictures
import SeededRandom
import Testing

@testable import CommandLineTool

/// Tests that a terminal decodes the encoders' output to the same image.
@Suite struct PictureTests {
  @Test(arguments: [1, UInt64.random(in: 0 ... .max)])
  func `Sixels of few colors decode to the same image`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let colors = (0..<200).map { _ in
      Color(
        red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
        blue: .random(in: 0...255, using: &random))
    }
    for size in [Size(1, 1), Size(7, 6), Size(40, 13), Size(3, 25)] {
      let picture = try RGBImage(size: size) { _, _ in colors.randomElement(using: &random) ?? .black }
      let drawn = try #require(SixelDecoder.decode(SixelEncoder.encode(picture)))
      #expect(drawn.size == size)
      // Sixel's color channels range from 0 to 100.
      #expect(drawn.worstDifference(from: picture) <= 2)
    }
  }

  @Test func `Sixels of many colors decode to a similar image`() throws {
    let picture = try RGBImage(size: Size(120, 64)) { x, y in
      Color(red: UInt8(x * 2), green: UInt8(y * 4), blue: UInt8((x + y) % 256))
    }
    let drawn = try #require(SixelDecoder.decode(SixelEncoder.encode(picture)))
    #expect(drawn.size == picture.size)
    #expect(drawn.worstDifference(from: picture) <= 24)
    #expect(Palette(picture).colors.count == 256)
    #expect(Palette(picture, limit: 16).colors.count == 16)
  }

  @Test func `An image of one color has one run in each band`() throws {
    let picture = try RGBImage(size: Size(300, 12)) { _, _ in .white }
    let text = String(decoding: SixelEncoder.encode(picture), as: UTF8.self)
    #expect(text == "\u{1b}P0;1;0q\"1;1;300;12#0;2;100;100;100#0!300~-#0!300~\u{1b}\\")
  }

  @Test func `Half blocks show two pixels in a cell`() throws {
    let picture = try RGBImage(size: Size(2, 3)) { x, y in x == 0 ? .white : y == 0 ? .black : .white }
    let rows = HalfBlocks.rows(picture, .full).map { String(decoding: $0, as: UTF8.self) }
    #expect(
      rows == [
        "\u{1b}[48;2;255;255;255m \u{1b}[38;2;0;0;0m▀\u{1b}[0m",
        "\u{1b}[38;2;255;255;255m▀▀\u{1b}[0m",
      ])
  }

  @Test(arguments: [
    (Color.black, 16), (.white, 231), (Color(red: 255, green: 0, blue: 0), 196),
    (Color(red: 8, green: 8, blue: 8), 232),
    (Color(red: 0x80, green: 0x80, blue: 0x80), 244), (.nightBlue, 17),
  ])
  func `With 256 colors, the nearest one is selected`(color: Color, index: Int) {
    #expect(HalfBlocks.index(of: color) == index)
  }

  @Test func `Without colors, characters are as bright as the image`() throws {
    let picture = try RGBImage(size: Size(3, 2)) { x, _ in [.black, Color(red: 128, green: 128, blue: 128), .white][x] }
    #expect(HalfBlocks.rows(picture, .none).map { String(decoding: $0, as: UTF8.self) } == [" =@"])
  }

  @Test func `Kitty's chunks contain the whole file`() throws {
    let file = (0..<10_000).map { UInt8($0 % 251) }
    let bytes = KittyEncoder.show(png: file, id: 7, columns: 40, rows: 12)
    let pieces = String(decoding: bytes, as: UTF8.self).split(separator: "\u{1b}\\").map { $0.dropFirst(3) }
    #expect(pieces.allSatisfy { $0.split(separator: ";")[1].count <= 4096 })
    #expect(pieces.first?.hasPrefix("a=T,f=100,t=d,q=2,C=1,i=7,c=40,r=12,m=1;") == true)
    #expect(pieces.dropLast().allSatisfy { $0.contains("m=1;") } && pieces.last?.hasPrefix("q=2,m=0;") == true)
    #expect(Base64.decode(pieces.map { $0.split(separator: ";")[1] }.joined()) == file)
  }

  @Test(arguments: [1, UInt64.random(in: 0 ... .max)])
  func `An image keeps its aspect ratio in any box`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let picture = Size(Int.random(in: 1...4000, using: &random), Int.random(in: 1...4000, using: &random))
      let box = Size(Int.random(in: 1...300, using: &random), Int.random(in: 1...300, using: &random))
      let size = ImageFit.size(picture, in: box)
      #expect(size.width <= box.width && size.height <= box.height && size.area > 0)
      #expect(size.width == box.width || size.height == box.height)
      let own = ImageFit.size(picture, in: box, enlarges: false)
      #expect(own.width <= picture.width && own.height <= picture.height && own.area > 0)
    }
  }

  @Test func `Each pixel of a scaled image is the mean of the pixels it represents`() throws {
    let picture = try RGBImage(size: Size(4, 2)) { x, _ in x < 2 ? .black : x == 2 ? .white : .black }
    #expect(picture.scaled(to: Size(2, 1)).pixels == [0, 0, 0, 127, 127, 127])
    #expect(picture.scaled(to: Size(8, 4)).size == Size(8, 4))
  }

  @Test func `A terminal's answers report its capabilities, and the keys between them are kept`() {
    var answers = TerminalAnswers()
    #expect(answers.receive(Array("q\u{1b}_Gi=31;OK\u{1b}\\x\u{1b}[6;20;1".utf8)) == Array("qx".utf8))
    #expect(answers.hasKitty && !answers.isComplete)
    #expect(answers.receive(Array("0t\u{1b}[?62;4;22c\u{3}".utf8)) == [3])
    #expect(answers.hasSixel && answers.isComplete && answers.cell?.width == 10 && answers.cell?.height == 20)
    var other = TerminalAnswers()
    #expect(other.receive(Array("\u{1b}_Gi=31;ENOENT:x\u{1b}\\\u{1b}[?1;2c".utf8)).isEmpty)
    #expect(!other.hasKitty && !other.hasSixel && other.isComplete && other.cell == nil)
  }

  @Test(arguments: [1, UInt64.random(in: 0 ... .max)])
  func `Random answers do not crash the parser`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parts = [
      "\u{1b}", "[", "_G", "\\", "?", "4", ";", "c", "t", "6", "\u{1b}]", "é", "i=31;OK", "9999999999999999999",
    ]
    for _ in 0..<2000 {
      var answers = TerminalAnswers()
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        _ = answers.receive(Array((parts.randomElement(using: &random) ?? "").utf8))
      }
      #expect((answers.cell?.width ?? 1) <= 512)
    }
  }

  @Test func `The queries depend on the terminal type`() {
    #expect(TerminalQueries.text(term: "dumb").isEmpty && TerminalQueries.text(term: "").isEmpty)
    #expect(TerminalQueries.text(term: "linux").firstRange(of: Array("_G".utf8)) == nil)
    #expect(TerminalQueries.text(term: "tmux-256color").firstRange(of: Array("\u{1b}[c".utf8)) != nil)
    #expect(TerminalQueries.text(term: "xterm-256color").firstRange(of: Array("_G".utf8)) != nil)
  }

  @Test(
    "The best drawing method follows from the environment and the answers",
    arguments: [
      ([:], "", .ascii), (["TERM": "xterm", "NO_COLOR": "1"], "\u{1b}[?4c", .ascii),
      (["TERM": "xterm"], "\u{1b}[?4c", .sixel), (["TERM": "xterm"], "\u{1b}[?1;2c", .blocks),
      (["TERM": "xterm"], "\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[?4c", .kitty), (["TERM": "dumb"], "", .ascii),
    ] as [([String: String], String, DrawingMethod)])
  func best(environment: [String: String], said: String, way: DrawingMethod) {
    var answers = TerminalAnswers()
    _ = answers.receive(Array(said.utf8))
    #expect(DrawingMethod.best(answers, .of(MemoryConsole(environment: environment))) == way)
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], ColorDepth.indexed), (["TERM": "xterm", "COLORTERM": "truecolor"], .full),
    (["TERM": "xterm-kitty"], .full), (["TERM": "vt220"], .none), (["TERM": "xterm", "NO_COLOR": ""], .indexed),
  ])
  func `The color depth follows from the environment`(environment: [String: String], depth: ColorDepth) {
    #expect(ColorDepth.of(MemoryConsole(environment: environment)) == depth)
  }
}

extension RGBImage {
  /// Returns an image with a function's color for each pixel.
  init(size: Size, _ color: (Int, Int) -> Color) throws {
    let colors = (0..<size.height).flatMap { y in (0..<size.width).map { x in color(x, y) } }
    let bytes = colors.flatMap { [$0.red, $0.green, $0.blue] }
    try self.init(size: size, rgb: bytes)
  }

  /// Returns the largest difference of a color channel.
  func worstDifference(from other: RGBImage) -> Int {
    zip(pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }
}
