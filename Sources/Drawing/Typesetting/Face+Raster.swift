import CFreeType

extension Face {
  /// Rasterizes the outline of a glyph at a size.
  ///
  /// - Parameters:
  ///   - glyph: The glyph ID.
  ///   - size: The size, in 64ths of a pixel per em.
  ///   - shift: The distance by which the origin moves right, in 64ths of a pixel.
  /// - Returns: The spans. They are empty if the font cannot supply the glyph or the glyph is too large to draw.
  func spans(of glyph: UInt32, size: Int, shift: Int) -> GlyphSpans {
    guard unsafe FT_Load_Glyph(outlines, glyph, placard_ft_load_outline) == 0,
      let slot = unsafe outlines.pointee.glyph, unsafe slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
    else { return .empty }
    // Outlines are in font units. One matrix scales them to 64ths of a pixel, without hinting at any size.
    let scale = FT_Fixed(size * 65536 / unitsPerEm)
    var matrix = FT_Matrix(xx: scale, xy: 0, yx: 0, yy: scale)
    unsafe FT_Outline_Transform(&slot.pointee.outline, &matrix)
    unsafe FT_Outline_Translate(&slot.pointee.outline, FT_Pos(shift), 0)
    return unsafe render(&slot.pointee.outline)
  }

  private func render(_ outline: inout FT_Outline) -> GlyphSpans {
    var collector = SpanCollector()
    let code = unsafe withUnsafeMutablePointer(to: &collector) { sink in
      var parameters = unsafe FT_Raster_Params()
      unsafe parameters.flags = placard_ft_raster_direct
      unsafe parameters.user = UnsafeMutableRawPointer(sink)
      unsafe parameters.gray_spans = { y, count, spans, user in
        guard let spans = unsafe spans, let user = unsafe user else { return }
        let sink = unsafe user.assumingMemoryBound(to: SpanCollector.self)
        for index in 0..<Int(count) {
          let span = unsafe spans[index]
          unsafe sink.pointee.add(y: y, x: span.x, length: span.len, coverage: span.coverage)
        }
      }
      return unsafe FT_Outline_Render(library.handle, &outline, &parameters)
    }
    return code == 0 ? collector.finish() : .empty
  }
}
