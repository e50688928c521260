import CFreeType
import CHarfBuzz

/// One open font: FreeType supplies outlines and bitmaps, HarfBuzz supplies shaping and metrics.
///
/// Both libraries map the file; neither reads it completely.
@safe
final class Face {
  let id: FontID
  let file: FontFile
  let metrics: FontMetrics
  let shapingFont: OpaquePointer
  let outlines: FT_Face
  let library: FontLibrary
  /// The font units per em, in which FreeType returns outlines.
  let unitsPerEm: Int
  /// The sizes at which the font has color bitmaps (CBDT, sbix); usually empty.
  let strikes: [Strike]
  /// Whether glyphs can consist of color layers (COLR).
  let hasLayers: Bool

  private var inks: [UInt32: GlyphInk] = [:]
  /// The limit of the ink cache: more glyphs than one display shows, 128 KB.
  private static let mostInks = 4096

  /// Whether the font has color glyphs, as emoji fonts do.
  var hasColor: Bool { hasLayers || !strikes.isEmpty }

  init(_ file: FontFile, id: FontID, library: FontLibrary) throws(TypesettingError) {
    let outlines = try unsafe Face.open(file, library)
    guard let font = unsafe Face.shapingFont(file) else {
      unsafe FT_Done_Face(outlines)
      throw .unreadableFont(file: file.path, reason: "HarfBuzz found no glyphs in it")
    }
    self.id = id
    self.file = file
    self.library = library
    unsafe Face.vary(outlines, file.axes, library)
    unsafe self.outlines = outlines
    unsafe shapingFont = font
    unitsPerEm = unsafe max(1, Int(outlines.pointee.units_per_EM))
    metrics = unsafe Face.metrics(of: font)
    let hasColor = unsafe placard_ft_has_color(outlines) != 0
    strikes = unsafe hasColor ? Strike.all(of: outlines) : []
    hasLayers = hasColor && strikes.isEmpty
  }

  deinit {
    unsafe hb_font_destroy(shapingFont)
    unsafe FT_Done_Face(outlines)
  }

  /// Returns the nominal glyph of a code point, or nil if the font has none.
  func glyph(for scalar: Unicode.Scalar) -> UInt32? {
    var glyph: hb_codepoint_t = 0
    return unsafe hb_font_get_nominal_glyph(shapingFont, scalar.value, &glyph) != 0 && glyph != 0 ? glyph : nil
  }

  /// Returns whether the font has a glyph for a code point below 128.
  func hasASCII(_ value: UInt32) -> Bool { ascii[Int(value & 127)] }

  /// Returns whether the font can show the code points as they are, composed, or decomposed.
  ///
  /// Code points that need no glyph are ignored.
  ///
  /// - Parameter scalars: The code points of one Character.
  /// - Returns: Whether one of the three forms has a glyph for every code point that needs one.
  func covers(_ scalars: [Unicode.Scalar]) -> Bool {
    if has(scalars) { return true }
    if scalars.allSatisfy({ $0.value < 0xC0 }) { return false }
    return has(CanonicalForm.composed(scalars)) || has(CanonicalForm.decomposed(scalars))
  }

  private func has(_ scalars: [Unicode.Scalar]) -> Bool {
    scalars.allSatisfy { !FontBook.needsGlyph($0) || glyph(for: $0) != nil }
  }

  private lazy var ascii = (0..<128).map { glyph(for: Unicode.Scalar(UInt8($0))) != nil }

  /// Returns the horizontal advance of a glyph outside any context, in 65536ths of an em.
  func advance(of glyph: UInt32) -> Int { unsafe Int(hb_font_get_glyph_h_advance(shapingFont, glyph)) }

  /// The height of the letter H, in 65536ths of an em; nil if the font has no ink for it.
  ///
  /// Fonts without Latin letters, such as emoji fonts, have none.
  private(set) lazy var capitalHeight: Int? = {
    guard let glyph = glyph(for: "H") else { return nil }
    let height = Int(ink(of: glyph).top)
    return height > 0 ? height : nil
  }()

  /// Returns the ink box of a glyph from a cache, because HarfBuzz interprets a CFF outline to measure it.
  func ink(of glyph: UInt32) -> GlyphInk {
    if let known = inks[glyph] { return known }
    if inks.count >= Face.mostInks { inks = [:] }
    let ink = inkOfLayers(of: glyph)
    inks[glyph] = ink
    return ink
  }

  /// Returns the ink box according to the font's tables: for a layered glyph, the union over all layers.
  private func inkOfLayers(of glyph: UInt32) -> GlyphInk {
    let layers = colorLayers(of: glyph)
    return layers.isEmpty ? ownInk(of: glyph) : layers.reduce(.none) { $0.union(ownInk(of: $1.glyph)) }
  }

  private func ownInk(of glyph: UInt32) -> GlyphInk {
    var box = hb_glyph_extents_t()
    guard unsafe hb_font_get_glyph_extents(shapingFont, glyph, &box) != 0 else { return .none }
    return GlyphInk(
      left: box.x_bearing, right: box.x_bearing &+ box.width, top: box.y_bearing, bottom: box.y_bearing &+ box.height)
  }

  private static func open(_ file: FontFile, _ library: FontLibrary) throws(TypesettingError) -> FT_Face {
    var face: FT_Face?
    let code = unsafe FT_New_Face(library.handle, file.path, FT_Long(file.index), &face)
    guard code == 0, let face = unsafe face else {
      throw .unreadableFont(file: file.path, reason: "FreeType could not open face \(file.index) (error \(code))")
    }
    let isDrawable = unsafe placard_ft_has_outlines(face) != 0 || !Strike.all(of: face).isEmpty
    guard isDrawable, unsafe placard_ft_is_sfnt(face) != 0 else {
      unsafe FT_Done_Face(face)
      throw .unreadableFont(
        file: file.path, reason: "it has neither outlines nor color glyphs, or is not a TrueType or OpenType font")
    }
    return unsafe face
  }

  /// Creates a font with HarfBuzz's own table functions, unhinted, whose lengths are in 65536ths of an em.
  private static func shapingFont(_ file: FontFile) -> OpaquePointer? {
    let blob = unsafe hb_blob_create_from_file(file.path)
    let face = unsafe hb_face_create(blob, UInt32(truncatingIfNeeded: file.index & 0xFFFF))
    unsafe hb_blob_destroy(blob)
    defer { unsafe hb_face_destroy(face) }
    guard unsafe hb_face_get_glyph_count(face) > 0, let font = unsafe hb_font_create(face) else { return nil }
    unsafe hb_font_set_scale(font, Int32(Em.units), Int32(Em.units))
    if file.index >> 16 > 0 { unsafe hb_font_set_var_named_instance(font, UInt32(file.index >> 16) - 1) }
    if !file.axes.isEmpty {
      let variations = file.axes.map { hb_variation_t(tag: $0.tag, value: Float($0.value)) }
      unsafe hb_font_set_variations(font, variations, UInt32(variations.count))
    }
    unsafe hb_font_make_immutable(font)
    return unsafe font
  }

  /// Sets the axis positions of a variable font.
  ///
  /// An axis that the font lacks is ignored, and a font without axes is left unchanged.
  ///
  /// - Parameters:
  ///   - face: The open face.
  ///   - axes: The requested positions. Other axes keep their defaults.
  ///   - library: The library that opened the face.
  private static func vary(_ face: FT_Face, _ axes: [FontFile.Axis], _ library: FontLibrary) {
    var master: UnsafeMutablePointer<FT_MM_Var>?
    guard !axes.isEmpty, unsafe FT_Get_MM_Var(face, &master) == 0, let master = unsafe master else { return }
    defer { unsafe FT_Done_MM_Var(library.handle, master) }
    let known = unsafe UnsafeBufferPointer(start: master.pointee.axis, count: Int(master.pointee.num_axis))
    var places = unsafe known.map { axis in
      let wanted = axes.first { unsafe FT_ULong($0.tag) == axis.tag }
      // The value is a 16.16 fixed-point number. FreeType clamps it to the range of the axis.
      return unsafe wanted.map { FT_Fixed($0.value * 65536) } ?? axis.def
    }
    unsafe FT_Set_Var_Design_Coordinates(face, FT_UInt(places.count), &places)
  }

  private static func metrics(of font: OpaquePointer) -> FontMetrics {
    var extents = hb_font_extents_t()
    guard unsafe hb_font_get_h_extents(font, &extents) != 0, extents.ascender > 0 else {
      return FontMetrics(ascent: Em.units, descent: Em.units / 4, gap: 0)
    }
    return FontMetrics(
      ascent: Int(extents.ascender), descent: max(0, -Int(extents.descender)), gap: max(0, Int(extents.line_gap)))
  }
}
