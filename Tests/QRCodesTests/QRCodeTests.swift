import Glibc
import QRCodes
import Testing

struct QRCodeTests {
  /// Codes that python3-qrcode makes with the same mask.
  private static let known: [(String, QRCode.Correction, String)] = [
    (
      "Placard", .medium,
      """
      #######.#.....#######
      #.....#.#.#.#.#.....#
      #.###.#.....#.#.###.#
      #.###.#.#.#.#.#.###.#
      #.###.#..###..#.###.#
      #.....#....##.#.....#
      #######.#.#.#.#######
      ........#####........
      #.##.###...##.#..#.##
      #.#.##.#########.#..#
      .#..###..###.....#.##
      ###.....##.#..#.##.#.
      ##.##.##.#..#........
      ........##.#..#.##.##
      #######.#.###..###...
      #.....#.#.#....######
      #.###.#..##.###..####
      #.###.#.####..##...#.
      #.###.#.#.#.#.#..#...
      #.....#......#.#....#
      #######.#....#..#.#..
      """
    ),
    (
      "a", .low,
      """
      #######..#.##.#######
      #.....#..###..#.....#
      #.###.#.##.##.#.###.#
      #.###.#..#.#..#.###.#
      #.###.#...#.#.#.###.#
      #.....#.....#.#.....#
      #######.#.#.#.#######
      ........##.##........
      ###.########.##...#..
      ..#.##.#..#...#...##.
      ....#.#####.#...#...#
      ##.#.#...##...#...#..
      ##..####....#.#.#.#.#
      ........##.#.#.#.#.##
      #######.#..#.###.####
      #.....#.######.###...
      #.###.#.#.##.###.##.#
      #.###.#...#...#...##.
      #.###.#.##..#...#...#
      #.....#.##....#...##.
      #######.##..#.#.#.###
      """
    ),
  ]

  @Test(arguments: known)
  func `A text has the same code as from another encoder`(
    text: String, correction: QRCode.Correction, picture: String
  ) throws {
    let code = try QRCode(text, correction: correction)
    let rows = (0..<code.side).map { y in (0..<code.side).map { x in code[x, y] ? "#" : "." }.joined() }
    #expect(rows.joined(separator: "\n") == picture)
  }

  @Test func `The code is the smallest that holds the text and grows with the error correction`() throws {
    // ISO/IEC 18004, table 7: versions 1, 2 and 3 hold 14, 26 and 42 bytes at level M.
    let sides = try [14, 15, 26, 27, 42, 43].map { try QRCode(String(repeating: "x", count: $0)).side }
    #expect(sides == [21, 25, 25, 29, 29, 33])
    let corrected = try QRCode.Correction.allCases.map { try QRCode("https://example.org/17", correction: $0).side }
    #expect(corrected == [25, 25, 29, 29])
  }

  @Test(arguments: QRCode.Correction.allCases)
  func `The largest code holds exactly the number of bytes that the error reports`(correction: QRCode.Correction) throws
  {
    let full = String(repeating: "x", count: correction.mostBytes)
    #expect(try QRCode(full, correction: correction).side == 177)
    let error = QRCodeError.long(bytes: correction.mostBytes + 1, fitting: correction.mostBytes)
    #expect(throws: error) { try QRCode(full + "x", correction: correction) }
    #expect("\(error)".contains("\(correction.mostBytes)"))
    #expect(throws: QRCodeError.self) {
      try QRCode(String(repeating: "ä", count: correction.mostBytes / 2 + 1), correction: correction)
    }
  }

  @Test func `An empty text has no code, and modules outside a code are light`() throws {
    #expect(throws: QRCodeError.empty) { try QRCode("") }
    let code = try QRCode("a\0b")
    #expect(code[0, 0] && !code[-1, 0] && !code[0, code.side] && !code[.max, .min])
  }

  @Test(.enabled(if: unsafe system("zbarimg --version >/dev/null 2>&1") == 0, "zbarimg is in zbar-tools"))
  func `A QR reader decodes the text`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var state = seed
    for correction in QRCode.Correction.allCases {
      for _ in 0..<3 {
        let text = (0..<5).map { _ in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return ["https://example.org/", "Größe", "17", "ü", "wi-fi;", "日本"][Int(state >> 33) % 6]
        }.joined()
        let code = try QRCode(text, correction: correction)
        #expect(try read(code) == text, "\(correction), seed \(seed)")
      }
    }
  }

  /// Decodes a code with zbarimg at four pixels per module. Returns bytes, because zbarimg guesses encodings badly.
  private func read(_ code: QRCode) throws -> String {
    let path = "/tmp/placard-code-\(getpid()).pbm"
    let side = code.side + 2 * QRCode.margin
    var picture = "P1 \(side * 4) \(side * 4)\n"
    for y in 0..<(side * 4) {
      for x in 0..<(side * 4) { picture += code[x / 4 - QRCode.margin, y / 4 - QRCode.margin] ? "1 " : "0 " }
      picture += "\n"
    }
    let file = unsafe try #require(fopen(path, "we"))
    defer { unsafe unlink(path) }
    unsafe fputs(picture, file)
    unsafe fclose(file)
    let pipe = unsafe try #require(popen("zbarimg -q --raw --oneshot -Sbinary '\(path)' 2>/dev/null", "re"))
    defer { unsafe pclose(pipe) }
    var output: [UInt8] = []
    while case let byte = unsafe getc(pipe), byte != EOF { output.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: output, as: UTF8.self)
  }
}
