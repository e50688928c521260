/// The identifier of a font within one typesetter, numbered in the order in which fonts are opened.
package struct FontID: Hashable, Sendable {
  /// The position in that order, from 0.
  package var number: UInt32

  /// Creates an identifier from its number.
  package init(_ number: UInt32) { self.number = number }
}

/// The unit of lengths that do not depend on a size: 65536ths of an em, independent of the font's own units.
enum Em {
  static let units = 65536

  /// Converts a length to 64ths of a pixel, rounding down, for a size in 64ths of a pixel per em.
  static func pixels64(_ length: Int, at size64: Int) -> Int { (length * size64) >> 16 }

  /// Converts a length in 64ths of a pixel to 65536ths of an em, for a size in 64ths of a pixel per em.
  static func units(_ pixels64: Int, at size64: Int) -> Int { (pixels64 * units) / max(1, size64) }
}

/// The identity of a font face: its file, index, and axis positions.
struct FontFile: Hashable {
  var path: String
  /// The face index in the low 16 bits, and the named instance plus 1 in the upper bits (FreeType, `FT_Open_Face`).
  var index: Int
  /// The family names that fontconfig reports, possibly in several languages; the first one is the default.
  var families: [String]
  /// The axis positions of a variable font, as `wght=700,wdth=80`; empty for a static font.
  var variations = ""

  /// A position on one axis of a variable font.
  struct Axis: Hashable {
    /// The four ASCII letters of the axis tag, such as `wght`.
    var tag: UInt32
    var value: Double
  }

  /// The parsed variations. Parts that do not have the form `wght=700` are ignored.
  var axes: [Axis] {
    variations.split(separator: ",").compactMap { part in
      let sides = part.split(separator: "=")
      guard sides.count == 2, sides[0].utf8.count == 4, let value = Double(sides[1]), abs(value) < 32768 else {
        return nil
      }
      return Axis(tag: sides[0].utf8.reduce(0) { $0 << 8 | UInt32($1) }, value: value)
    }
  }

  func isSameFace(as other: FontFile) -> Bool {
    (path, index, variations) == (other.path, other.index, other.variations)
  }

  /// The name used in warnings.
  var name: String { families.first ?? path }
}

/// The vertical metrics of a font, in 65536ths of an em; all three are distances and not negative.
struct FontMetrics: Hashable {
  var ascent: Int
  var descent: Int
  var gap: Int
}

/// The ink box of a glyph, in 65536ths of an em from its origin, with y upward; empty for a glyph without ink.
struct GlyphInk: Hashable {
  var left: Int32
  var right: Int32
  var top: Int32
  var bottom: Int32

  static let none = GlyphInk(left: 0, right: 0, top: 0, bottom: 0)
  var isEmpty: Bool { left == right || top == bottom }
}
