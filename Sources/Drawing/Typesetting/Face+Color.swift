import CFreeType
import Geometry

/// One of the fixed sizes at which a font has bitmap glyphs.
struct Strike {
  var index: Int32
  /// The horizontal size, in 64ths of a pixel per em.
  var x: Int
  var y: Int

  /// Returns the strikes of a color font, smallest first.
  ///
  /// A font without color has none here: its bitmaps are grayscale and made for small text, where outlines suffice.
  ///
  /// - Parameter face: The open face. It stays owned by the caller.
  /// - Returns: The strikes with a nonzero size, or an empty array for a font without color.
  static func all(of face: FT_Face) -> [Strike] {
    guard unsafe placard_ft_has_color(face) != 0, let sizes = unsafe face.pointee.available_sizes else { return [] }
    let strikes = (0..<max(0, unsafe face.pointee.num_fixed_sizes)).map { index in
      let size = unsafe sizes[Int(index)]
      return Strike(index: index, x: Int(size.x_ppem), y: Int(size.y_ppem))
    }
    return strikes.filter { $0.x > 0 && $0.y > 0 }.sorted { $0.y < $1.y }
  }
}

/// One layer of a color glyph: the glyph that gives its shape, and its palette index.
struct ColorLayer {
  var glyph: UInt32
  var color: UInt32

  /// The palette index that stands for the text color (OpenType, COLR).
  static let foreground: UInt32 = 0xFFFF
}

extension Face {
  /// Draws a glyph at a size.
  ///
  /// - Parameters:
  ///   - glyph: The glyph ID.
  ///   - size: The size, in 64ths of a pixel per em.
  ///   - shift: The distance by which the origin moves right, in 64ths of a pixel.
  /// - Returns: The drawing. It is empty if the font cannot supply the glyph or the glyph is too large to draw.
  func drawing(of glyph: UInt32, size: Int, shift: Int) -> GlyphDrawing {
    if let image = image(of: glyph, size: size, shift: shift) { return .image(image) }
    let layers = colorLayers(of: glyph)
    return layers.isEmpty
      ? .spans(spans(of: glyph, size: size, shift: shift)) : .layers(drawn(layers, size: size, shift: shift))
  }

  /// Returns the layers of a glyph from bottom to top, or an empty array for a plain glyph.
  func colorLayers(of glyph: UInt32) -> [ColorLayer] {
    guard hasLayers else { return [] }
    var layers: [ColorLayer] = []
    var iterator = unsafe FT_LayerIterator()
    var (shape, color): (FT_UInt, FT_UInt) = (0, 0)
    while layers.count < Face.mostLayers,
      unsafe FT_Get_Color_Glyph_Layer(outlines, glyph, &shape, &color, &iterator) != 0
    {
      layers.append(ColorLayer(glyph: shape, color: color))
    }
    return layers
  }

  /// The layer limit of a glyph. No real design reaches it, but a broken font can list thousands of layers.
  private static let mostLayers = 256

  private func drawn(_ layers: [ColorLayer], size: Int, shift: Int) -> [GlyphLayer] {
    let palette = palette()
    return layers.compactMap { layer in
      let spans = spans(of: layer.glyph, size: size, shift: shift)
      if layer.color == ColorLayer.foreground { return GlyphLayer(spans: spans, color: nil, opacity: 255) }
      // FreeType's own renderer fails on an index beyond the palette; here only that layer is left out.
      guard Int(layer.color) < palette.count else { return nil }
      let entry = palette[Int(layer.color)]
      let color = Color(red: entry.red, green: entry.green, blue: entry.blue)
      return entry.alpha == 0 ? nil : GlyphLayer(spans: spans, color: color, opacity: entry.alpha)
    }
  }

  /// Returns the first palette of the font, which is the default one.
  private func palette() -> [FT_Color] {
    var data = unsafe FT_Palette_Data()
    var entries: UnsafeMutablePointer<FT_Color>?
    guard unsafe FT_Palette_Data_Get(outlines, &data) == 0, unsafe FT_Palette_Select(outlines, 0, &entries) == 0,
      let entries = unsafe entries
    else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: entries, count: Int(data.num_palette_entries)))
  }

  /// Returns the bitmap of a glyph from the smallest strike that is at least as large as `size`.
  private func image(of glyph: UInt32, size: Int, shift: Int) -> GlyphImage? {
    guard let strike = strikes.first(where: { $0.y >= size }) ?? strikes.last,
      unsafe FT_Select_Size(outlines, strike.index) == 0,
      unsafe FT_Load_Glyph(outlines, glyph, placard_ft_load_color) == 0, let slot = unsafe outlines.pointee.glyph,
      unsafe slot.pointee.format == FT_GLYPH_FORMAT_BITMAP
    else { return nil }
    let bitmap = unsafe slot.pointee.bitmap
    let scale = GlyphImage.Scale(x: Double(size) / Double(strike.x), y: Double(size) / Double(strike.y))
    return unsafe GlyphImage(
      bitmap, left: Int(slot.pointee.bitmap_left), top: Int(slot.pointee.bitmap_top), scale: scale, shift: shift)
  }
}

extension GlyphInk {
  /// Returns the smallest box around both; a box without ink adds nothing.
  func union(_ other: GlyphInk) -> GlyphInk {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return GlyphInk(
      left: min(left, other.left), right: max(right, other.right), top: max(top, other.top),
      bottom: min(bottom, other.bottom))
  }
}

extension GlyphImage {
  /// Copies a bitmap that FreeType decoded, or returns nil if it is not in color or exceeds the size limit.
  fileprivate init?(_ bitmap: FT_Bitmap, left: Int, top: Int, scale: Scale, shift: Int) {
    let (width, height) = unsafe (Int(bitmap.width), Int(bitmap.rows))
    guard unsafe UInt32(bitmap.pixel_mode) == FT_PIXEL_MODE_BGRA.rawValue, let bytes = unsafe bitmap.buffer,
      (1...GlyphImage.longest).contains(width), (1...GlyphImage.longest).contains(height)
    else { return nil }
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      let row = unsafe UnsafeRawPointer(bytes + y * Int(bitmap.pitch))
      for x in 0..<width {
        pixels.append(UInt32(littleEndian: unsafe row.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)))
      }
    }
    self.init(
      pixels: pixels, width: width, height: height, left: Double(left) * scale.x + Double(shift) / 64,
      top: -Double(top) * scale.y, scale: scale)
  }

  private static let longest = 2048
}
