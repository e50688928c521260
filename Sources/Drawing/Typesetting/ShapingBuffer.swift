import CHarfBuzz

/// A HarfBuzz buffer, reused for each run of text of one font and script.
@safe
final class ShapingBuffer {
  private let buffer: OpaquePointer
  private var languages: [String: OpaquePointer?] = unsafe [:]

  init() throws(TypesettingError) {
    guard let buffer = unsafe hb_buffer_create(), unsafe hb_buffer_allocation_successful(buffer) != 0 else {
      throw .library(name: "HarfBuzz", code: 0)
    }
    unsafe self.buffer = buffer
  }

  deinit { unsafe hb_buffer_destroy(buffer) }

  /// One glyph as HarfBuzz places it, in 65536ths of an em.
  struct Placed: Equatable {
    var glyph: UInt32
    /// The index in the paragraph of the first code point of its HarfBuzz cluster.
    var place: UInt32
    var advance: Int32
    var x: Int32
    var y: Int32
  }

  /// The shaping parameters of an item.
  struct Parameters {
    var script: hb_script_t
    var isRightToLeft: Bool
    var language: String?
    var features: TextFeatures
  }

  /// Shapes a part of a paragraph.
  ///
  /// The surrounding text is passed as context, so Arabic letters join across a change of color.
  ///
  /// - Parameters:
  ///   - part: The range to shape.
  ///   - codePoints: The code points of the whole paragraph.
  ///   - face: The font.
  ///   - manner: The script, direction, language, and OpenType features.
  /// - Returns: The glyphs, from left to right.
  func shape(_ part: Range<Int>, of codePoints: [UInt32], face: Face, _ manner: Parameters) -> [Placed] {
    unsafe hb_buffer_clear_contents(buffer)
    unsafe codePoints.withUnsafeBufferPointer { text in
      unsafe hb_buffer_add_codepoints(
        buffer, text.baseAddress, Int32(text.count), UInt32(part.lowerBound), Int32(part.count))
    }
    unsafe hb_buffer_set_script(buffer, manner.script)
    unsafe hb_buffer_set_direction(buffer, manner.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    if let language = unsafe language(manner.language) { unsafe hb_buffer_set_language(buffer, language) }
    unsafe hb_buffer_guess_segment_properties(buffer)
    let features = ShapingBuffer.features(manner.features)
    unsafe hb_shape(face.shapingFont, buffer, features, UInt32(features.count))
    return placed()
  }

  private func language(_ name: String?) -> OpaquePointer? {
    guard let name else { return nil }
    if let known = unsafe languages[name] { return unsafe known }
    let language = unsafe hb_language_from_string(name, -1)
    unsafe languages[name] = unsafe .some(language)
    return unsafe language
  }

  private static func features(_ wanted: TextFeatures) -> [hb_feature_t] {
    let all: [(TextFeatures, [UInt8])] = [
      (.tabularFigures, Array("tnum".utf8)), (.smallCaps, Array("smcp".utf8)),
    ]
    return all.filter { wanted.contains($0.0) }.map { _, tag in
      hb_feature_t(tag: tag.reduce(0) { $0 << 8 | UInt32($1) }, value: 1, start: 0, end: UInt32.max)
    }
  }

  private func placed() -> [Placed] {
    var count: UInt32 = 0
    guard let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count),
      let positions = unsafe hb_buffer_get_glyph_positions(buffer, nil)
    else { return [] }
    return (0..<Int(count)).map { index in
      let (info, position) = unsafe (infos[index], positions[index])
      return Placed(
        glyph: info.codepoint, place: info.cluster, advance: position.x_advance, x: position.x_offset,
        y: position.y_offset)
    }
  }
}
