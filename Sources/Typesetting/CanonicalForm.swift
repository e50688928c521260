import CHarfBuzz

/// Code points as others that mean the same. HarfBuzz takes those of them that a font has, so that a font without a
/// combining accent still has an accented letter, and the other way round.
enum CanonicalForm {
  /// With each code point joined to the one before it, where Unicode has one for both.
  static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    for scalar in scalars {
      var whole: hb_codepoint_t = 0
      if let last = result.last, unsafe hb_unicode_compose(functions, last.value, scalar.value, &whole) != 0,
        let whole = Unicode.Scalar(whole)
      {
        result[result.count - 1] = whole
      } else {
        result.append(scalar)
      }
    }
    return result
  }

  /// With each code point taken apart as far as Unicode does.
  static func decomposed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] { scalars.flatMap(decomposed) }

  private static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    var (first, second): (hb_codepoint_t, hb_codepoint_t) = (0, 0)
    // Singletons become another code point alone, and 0.
    guard unsafe hb_unicode_decompose(functions, scalar.value, &first, &second) != 0,
      let first = Unicode.Scalar(first)
    else { return [scalar] }
    return decomposed(first) + (second == 0 ? [] : [Unicode.Scalar(second)].compactMap { $0 })
  }

  private static var functions: OpaquePointer? { unsafe hb_unicode_funcs_get_default() }
}
