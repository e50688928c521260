import Glibc

/// The path of Debian's fonts-noto-color-emoji: bitmaps of 136 x 128 pixels at 109 pixels per em (CBDT).
let notoEmoji = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"

var hasNotoEmoji: Bool { unsafe access(notoEmoji, R_OK) == 0 }

/// A handmade font of squares with 1000 units per em. `A` has red below, then half-transparent blue, then the text's
/// own color (COLR 0). `B` is a plain square.
enum ColorFont {
  /// The glyphs' bottom left and top right corners; glyph 0 is empty.
  private static let squares: [(from: Int, to: Int)?] = [nil, nil, (0, 800), (200, 600), (300, 400), (100, 700)]

  /// The bytes of a TrueType font (OpenType 1.9, "Organization of an OpenType Font").
  static func bytes() -> [UInt8] {
    let glyphs = squares.map { $0.map { square($0.from, $0.to) } ?? [] }
    var places = [0]
    for glyph in glyphs { places.append(places[places.count - 1] + glyph.count) }
    let tables: [(String, [UInt8])] = [
      ("COLR", colr), ("CPAL", cpal), ("cmap", cmap), ("glyf", glyphs.flatMap { $0 }), ("head", head), ("hhea", hhea),
      ("hmtx", squares.flatMap { words(1000, $0?.from ?? 0) }), ("loca", places.flatMap(long)),
      ("maxp", long(0x10000) + words(squares.count, 8, 1) + words(0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)),
    ]
    var directory = long(0x10000) + words(tables.count, 128, 3, tables.count * 16 - 128)
    var body: [UInt8] = []
    for (tag, table) in tables {
      let place = 12 + tables.count * 16 + body.count
      directory += Array(tag.utf8) + long(0) + long(place) + long(table.count)
      body += table + [UInt8](repeating: 0, count: -table.count & 3)
    }
    return directory + body
  }

  private static func words(_ values: Int...) -> [UInt8] {
    values.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
  }

  private static func long(_ value: Int) -> [UInt8] { words(value >> 16, value) }

  private static let head =
    long(0x10000) + long(0x10000) + long(0) + long(0x5F0F_3CF5) + words(0, 1000) + long(0) + long(0) + long(0) + long(0)
    + words(0, 0, 800, 800, 0, 8, 2, 1, 0)
  private static let hhea =
    long(0x10000) + words(900, -200, 0, 1000, 0, 0, 800, 1, 0, 0, 0, 0, 0, 0, 0, squares.count)

  /// The character map in format 4: `A` is glyph 1, `B` is glyph 5.
  private static let cmap =
    words(0, 1, 3, 1) + long(12)
    + words(4, 40, 0, 6, 4, 1, 2, 0x41, 0x42, 0xFFFF, 0, 0x41, 0x42, 0xFFFF, 1 - 0x41, 5 - 0x42, 1, 0, 0, 0)

  /// The layers of glyph 1: glyph 2 in color 0, glyph 3 in color 1, glyph 4 in the text's color.
  private static let colr =
    words(0, 1) + long(14) + long(20) + words(3) + words(1, 0, 3) + words(2, 0, 3, 1, 4, 0xFFFF)

  /// One palette with red and half-transparent blue (blue, green, red, alpha).
  private static let cpal = words(0, 2, 1, 2) + long(14) + words(0) + [0, 0, 255, 255, 255, 0, 0, 128]

  /// Returns one contour of four points, in the winding order that fills it.
  private static func square(_ from: Int, _ to: Int) -> [UInt8] {
    words(1, from, from, to, to, 3, 0) + [1, 1, 1, 1] + words(from, 0, to - from, 0)
      + words(from, to - from, 0, from - to)
  }
}

/// A file that is removed together with this value.
final class TemporaryFile {
  let path: String

  init(_ bytes: [UInt8]) {
    var template = Array("/tmp/placard-font-XXXXXX".utf8CString)
    let file = unsafe mkstemp(&template)
    unsafe write(file, bytes, bytes.count)
    close(file)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { unsafe unlink(path) }
}
