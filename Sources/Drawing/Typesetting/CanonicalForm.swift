import CHarfBuzz

/// Canonically equivalent forms of a sequence of code points.
///
/// HarfBuzz uses whichever form the font supports: a font without a combining accent can still have the precomposed
/// letter, and the reverse.
enum CanonicalForm {
  /// Returns the sequence with each code point composed with its predecessor where Unicode defines a composition.
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

  /// Returns the full canonical decomposition of the sequence.
  static func decomposed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] { scalars.flatMap(decomposed) }

  private static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    var (first, second): (hb_codepoint_t, hb_codepoint_t) = (0, 0)
    // For a singleton decomposition, the second code point is 0.
    guard unsafe hb_unicode_decompose(functions, scalar.value, &first, &second) != 0,
      let first = Unicode.Scalar(first)
    else { return [scalar] }
    return decomposed(first) + (second == 0 ? [] : [Unicode.Scalar(second)].compactMap { $0 })
  }

  private static var functions: OpaquePointer? { unsafe hb_unicode_funcs_get_default() }
}
