import CHarfBuzz

/// HarfBuzz's buffer, used again for each run of text of one font and script.
@safe
final class ShapingBuffer {
  private let buffer: OpaquePointer

  init() throws(TypesettingError) {
    guard let buffer = unsafe hb_buffer_create(), unsafe hb_buffer_allocation_successful(buffer) != 0 else {
      throw .library(name: "HarfBuzz", code: 0)
    }
    unsafe self.buffer = buffer
  }

  deinit { unsafe hb_buffer_destroy(buffer) }

  /// One glyph as HarfBuzz places it, in 65536ths of an em.
  struct Placed {
    var glyph: UInt32
    var character: UInt32
    var advance: Int32
    var x: Int32
    var y: Int32
  }

  /// Shapes one run in visual order. Each code point carries the number of its Character: HarfBuzz never separates
  /// what has the same number.
  func shape(_ scalars: ArraySlice<TextScalar>, face: Face, script: hb_script_t) -> [Placed] {
    unsafe hb_buffer_clear_contents(buffer)
    for scalar in scalars { unsafe hb_buffer_add(buffer, scalar.value, scalar.character) }
    unsafe hb_buffer_set_content_type(buffer, HB_BUFFER_CONTENT_TYPE_UNICODE)
    unsafe hb_buffer_set_script(buffer, script)
    unsafe hb_buffer_guess_segment_properties(buffer)
    unsafe hb_shape(face.shapingFont, buffer, nil, 0)
    return placed()
  }

  private func placed() -> [Placed] {
    var count: UInt32 = 0
    guard let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count),
      let positions = unsafe hb_buffer_get_glyph_positions(buffer, nil)
    else { return [] }
    return (0..<Int(count)).map { index in
      let (info, position) = unsafe (infos[index], positions[index])
      return Placed(
        glyph: info.codepoint, character: info.cluster, advance: position.x_advance, x: position.x_offset,
        y: position.y_offset)
    }
  }
}

/// A code point and the number of the Character that it belongs to.
struct TextScalar {
  var value: UInt32
  var character: UInt32
}
