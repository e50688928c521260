import CHarfBuzz

/// Warnings about code points that no installed font has, naming the Debian package that provides a font.
enum MissingGlyphs {
  /// Returns one sentence per package, in the order of the code points.
  static func warnings(_ scalars: [Unicode.Scalar]) -> [String] {
    var packages: [String?] = []
    for scalar in scalars where !packages.contains(package(for: scalar)) { packages.append(package(for: scalar)) }
    return packages.map { package in
      let names = scalars.filter { self.package(for: $0) == package }.map(name).joined(separator: ", ")
      let advice =
        package.map { ": install the package \($0), then reload placardd" }
        ?? ", and no Debian package is known to provide it"
      return "no installed font has \(names)\(advice)"
    }
  }

  /// Returns the Debian package with a font for a code point, or nil for a private or unassigned one.
  static func package(for scalar: Unicode.Scalar) -> String? {
    switch scalar.properties.generalCategory {
    case .privateUse, .unassigned, .surrogate, .control: return nil
    default: break
    }
    if scalar.properties.isEmojiPresentation || scalar.properties.isEmojiModifier { return "fonts-noto-color-emoji" }
    let script = unsafe hb_unicode_script(hb_unicode_funcs_get_default(), scalar.value)
    let isEastAsian = [
      HB_SCRIPT_HAN, HB_SCRIPT_HIRAGANA, HB_SCRIPT_KATAKANA, HB_SCRIPT_HANGUL, HB_SCRIPT_BOPOMOFO,
    ].contains(script)
    // CJK symbols, compatibility forms, and fullwidth forms do not belong to a single script.
    let isWide = [0x2E80...0x33FF, 0xFE30...0xFE4F, 0xFF00...0xFFEF].contains { $0.contains(scalar.value) }
    return isEastAsian || isWide ? "fonts-noto-cjk" : "fonts-noto-core"
  }

  private static func name(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
