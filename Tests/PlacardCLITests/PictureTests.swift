import Geometry
import JSON
import Pictures
import SeededRandom
import Testing

@testable import CommandLineTool

/// Pictures in terminals: what a terminal makes of what the encoders write.
@Suite struct PictureTests {
  @Test(arguments: [1, UInt64.random(in: 0 ... .max)])
  func `Sixels of few colours are the picture itself`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let colors = (0..<200).map { _ in
      Color(
        red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
        blue: .random(in: 0...255, using: &random))
    }
    for size in [Size(1, 1), Size(7, 6), Size(40, 13), Size(3, 25)] {
      let picture = try Picture(size: size) { _, _ in colors.randomElement(using: &random) ?? .black }
      let drawn = try #require(SixelDecoder.decode(SixelEncoder.encode(picture)))
      #expect(drawn.size == size)
      // Sixel's channels have a hundred steps.
      #expect(drawn.worstDifference(from: picture) <= 2)
    }
  }

  @Test func `Sixels of many colours come close`() throws {
    let picture = try Picture(size: Size(120, 64)) { x, y in
      Color(red: UInt8(x * 2), green: UInt8(y * 4), blue: UInt8((x + y) % 256))
    }
    let drawn = try #require(SixelDecoder.decode(SixelEncoder.encode(picture)))
    #expect(drawn.size == picture.size)
    #expect(drawn.worstDifference(from: picture) <= 24)
    #expect(Palette(picture).colors.count == 256)
    #expect(Palette(picture, limit: 16).colors.count == 16)
  }

  @Test func `One colour takes one run a band`() throws {
    let picture = try Picture(size: Size(300, 12)) { _, _ in .white }
    let text = String(decoding: SixelEncoder.encode(picture), as: UTF8.self)
    #expect(text == "\u{1b}P0;1;0q\"1;1;300;12#0;2;100;100;100#0!300~-#0!300~\u{1b}\\")
  }

  @Test func `Half blocks show two pixels in a cell`() throws {
    let picture = try Picture(size: Size(2, 3)) { x, y in x == 0 ? .white : y == 0 ? .black : .white }
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
  func `256 colours take the nearest`(color: Color, index: Int) { #expect(HalfBlocks.index(of: color) == index) }

  @Test func `Without colours letters are as bright as the picture`() throws {
    let picture = try Picture(size: Size(3, 2)) { x, _ in [.black, Color(red: 128, green: 128, blue: 128), .white][x] }
    #expect(HalfBlocks.rows(picture, .none).map { String(decoding: $0, as: UTF8.self) } == [" =@"])
  }

  @Test func `Kitty's pieces put together are the file`() throws {
    let file = (0..<10_000).map { UInt8($0 % 251) }
    let bytes = KittyEncoder.show(png: file, id: 7, columns: 40, rows: 12)
    let pieces = String(decoding: bytes, as: UTF8.self).split(separator: "\u{1b}\\").map { $0.dropFirst(3) }
    #expect(pieces.allSatisfy { $0.split(separator: ";")[1].count <= 4096 })
    #expect(pieces.first?.hasPrefix("a=T,f=100,t=d,q=2,C=1,i=7,c=40,r=12,m=1;") == true)
    #expect(pieces.dropLast().allSatisfy { $0.contains("m=1;") } && pieces.last?.hasPrefix("q=2,m=0;") == true)
    #expect(Base64.decode(pieces.map { $0.split(separator: ";")[1] }.joined()) == file)
  }

  @Test(arguments: [1, UInt64.random(in: 0 ... .max)])
  func `A picture keeps its shape in any box`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let picture = Size(Int.random(in: 1...4000, using: &random), Int.random(in: 1...4000, using: &random))
      let box = Size(Int.random(in: 1...300, using: &random), Int.random(in: 1...300, using: &random))
      let size = PictureFit.size(picture, in: box)
      #expect(size.width <= box.width && size.height <= box.height && size.area > 0)
      #expect(size.width == box.width || size.height == box.height)
      let own = PictureFit.size(picture, in: box, enlarges: false)
      #expect(own.width <= picture.width && own.height <= picture.height && own.area > 0)
    }
  }

  @Test func `A scaled picture is the mean of what it was`() throws {
    let picture = try Picture(size: Size(4, 2)) { x, _ in x < 2 ? .black : x == 2 ? .white : .black }
    #expect(picture.scaled(to: Size(2, 1)).pixels == [0, 0, 0, 127, 127, 127])
    #expect(picture.scaled(to: Size(8, 4)).size == Size(8, 4))
  }

  @Test func `A terminal's answers tell what it can, and the keys between them are kept`() {
    var answers = TerminalAnswers()
    #expect(answers.take(Array("q\u{1b}_Gi=31;OK\u{1b}\\x\u{1b}[6;20;1".utf8)) == Array("qx".utf8))
    #expect(answers.hasKitty && !answers.isComplete)
    #expect(answers.take(Array("0t\u{1b}[?62;4;22c\u{3}".utf8)) == [3])
    #expect(answers.hasSixel && answers.isComplete && answers.cell?.width == 10 && answers.cell?.height == 20)
    var other = TerminalAnswers()
    #expect(other.take(Array("\u{1b}_Gi=31;ENOENT:x\u{1b}\\\u{1b}[?1;2c".utf8)).isEmpty)
    #expect(!other.hasKitty && !other.hasSixel && other.isComplete && other.cell == nil)
  }

  @Test(arguments: [1, UInt64.random(in: 0 ... .max)])
  func `Answers from nobody knows whom break nothing`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parts = [
      "\u{1b}", "[", "_G", "\\", "?", "4", ";", "c", "t", "6", "\u{1b}]", "é", "i=31;OK", "9999999999999999999",
    ]
    for _ in 0..<2000 {
      var answers = TerminalAnswers()
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        _ = answers.take(Array((parts.randomElement(using: &random) ?? "").utf8))
      }
      #expect((answers.cell?.width ?? 1) <= 512)
    }
  }

  @Test func `What is asked depends on who would answer`() {
    #expect(TerminalQuestions.text(term: "dumb").isEmpty && TerminalQuestions.text(term: "").isEmpty)
    #expect(TerminalQuestions.text(term: "linux").firstRange(of: Array("_G".utf8)) == nil)
    #expect(TerminalQuestions.text(term: "tmux-256color").firstRange(of: Array("\u{1b}[c".utf8)) != nil)
    #expect(TerminalQuestions.text(term: "xterm-256color").firstRange(of: Array("_G".utf8)) != nil)
  }

  @Test(
    "The best way and its colours come from the environment and the answers",
    arguments: [
      ([:], "", .ascii), (["TERM": "xterm", "NO_COLOR": "1"], "\u{1b}[?4c", .ascii),
      (["TERM": "xterm"], "\u{1b}[?4c", .sixel), (["TERM": "xterm"], "\u{1b}[?1;2c", .blocks),
      (["TERM": "xterm"], "\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[?4c", .kitty), (["TERM": "dumb"], "", .ascii),
    ] as [([String: String], String, PictureWay)])
  func best(environment: [String: String], said: String, way: PictureWay) {
    var answers = TerminalAnswers()
    _ = answers.take(Array(said.utf8))
    #expect(PictureWay.best(answers, .of(MemoryConsole(environment: environment))) == way)
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], ColourDepth.indexed), (["TERM": "xterm", "COLORTERM": "truecolor"], .full),
    (["TERM": "xterm-kitty"], .full), (["TERM": "vt220"], .none), (["TERM": "xterm", "NO_COLOR": ""], .indexed),
  ])
  func `Colours are as many as the terminal says`(environment: [String: String], depth: ColourDepth) {
    #expect(ColourDepth.of(MemoryConsole(environment: environment)) == depth)
  }
}

extension Picture {
  /// A picture whose pixels are told one by one.
  init(size: Size, _ color: (Int, Int) -> Color) throws {
    let colors = (0..<size.height).flatMap { y in (0..<size.width).map { x in color(x, y) } }
    let bytes = colors.flatMap { [$0.red, $0.green, $0.blue] }
    try self.init(size: size, rgb: bytes)
  }

  /// How far the most different channel is.
  func worstDifference(from other: Picture) -> Int {
    zip(pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }
}
