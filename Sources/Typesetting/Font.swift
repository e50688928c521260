/// The name of a font within one typesetter, in the order in which they were opened.
public struct FontID: Hashable, Sendable {
  /// The place in the order, from 0.
  public var number: UInt32

  /// An id by its number.
  public init(_ number: UInt32) { self.number = number }
}

/// Lengths that do not depend on a size are counted in 65536ths of an em, whatever a font's own units are.
enum Em {
  static let units = 65536

  /// A length at a size of 64ths of a pixel an em, in 64ths of a pixel, rounded down.
  static func pixels64(_ length: Int, at size64: Int) -> Int { (length * size64) >> 16 }

  /// How much of an em's units fits into a length of 64ths of a pixel at this size.
  static func units(_ pixels64: Int, at size64: Int) -> Int { (pixels64 * units) / max(1, size64) }
}

/// Which face of which file to open.
struct FontFile: Hashable {
  var path: String
  /// The face within a collection in the low 16 bits; one more than the named instance in the upper bits (FreeType).
  var index: Int
  /// The family's names, in several languages perhaps, as fontconfig says them; the first one is the usual.
  var families: [String]
  /// Where a variable font stands on its axes, as `wght=700,wdth=80`; empty for a font that does not vary.
  var variations = ""

  /// One axis of a variable font and where on it.
  struct Axis: Hashable {
    /// Four letters of ASCII, `wght`.
    var tag: UInt32
    var value: Double
  }

  /// The variations, taken apart; what is not written as `wght=700` is left out.
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

  /// What to call it.
  var name: String { families.first ?? path }
}

/// What a font says of its lines, in 65536ths of an em; all three count away from the baseline.
struct FontMetrics: Hashable {
  var ascent: Int
  var descent: Int
  var gap: Int
}

/// Where a glyph has ink, in 65536ths of an em from its origin, y upwards; empty where it has none.
struct GlyphInk: Hashable {
  var left: Int32
  var right: Int32
  var top: Int32
  var bottom: Int32

  static let none = GlyphInk(left: 0, right: 0, top: 0, bottom: 0)
  var isEmpty: Bool { left == right || top == bottom }
}
