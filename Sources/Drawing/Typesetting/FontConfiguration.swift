import CFontconfig

/// The system's fontconfig configuration, shared by all typesetters of the process.
@safe
final class FontConfiguration {
  private let config: OpaquePointer
  /// The union of the character sets of all fonts, computed on first use.
  private var everything: OpaquePointer?

  init() throws(TypesettingError) {
    // FcInit is slow (142 ms without fontconfig's cache). Later calls return immediately.
    guard FcInit() != 0, let config = unsafe FcConfigReference(nil) else {
      throw .library(name: "fontconfig", code: 0)
    }
    unsafe self.config = config
  }

  deinit {
    if let everything = unsafe everything { unsafe FcCharSetDestroy(everything) }
    unsafe FcConfigDestroy(config)
  }

  /// Whether fonts were installed or removed since this configuration was loaded.
  ///
  /// The first read that detects a change reloads the configuration for the whole process.
  var isOutOfDate: Bool {
    if unsafe FcConfigGetCurrent() != config { return true }
    if unsafe FcConfigUptoDate(config) != 0 { return false }
    return FcInitReinitialize() != 0
  }

  /// Returns the family that a request names, or nil if it leaves the family open.
  static func family(askedBy request: String) -> String? {
    guard let pattern = FontPattern(request) else { return nil }
    return pattern.family
  }

  /// Returns whether one installed font has all the code points: microseconds, where a failed match takes milliseconds.
  func covers(_ scalars: [Unicode.Scalar]) -> Bool {
    guard scalars.allSatisfy(isAnywhere) else { return false }
    if scalars.count == 1 { return true }
    return unsafe characterSets().contains { characters in
      scalars.allSatisfy { unsafe FcCharSetHasChar(characters, $0.value) != 0 }
    }
  }

  private func isAnywhere(_ scalar: Unicode.Scalar) -> Bool {
    if unsafe everything == nil, let all = unsafe FcCharSetCreate() {
      let sets = unsafe characterSets()
      for place in unsafe sets.indices { unsafe FcCharSetMerge(all, sets[place], nil) }
      unsafe everything = unsafe all
    }
    guard let everything = unsafe everything else { return true }
    return unsafe FcCharSetHasChar(everything, scalar.value) != 0
  }

  /// Returns the character set of each installed font, owned by fontconfig.
  private func characterSets() -> [OpaquePointer] {
    guard let set = unsafe FcConfigGetFonts(config, FcSetSystem) else { return unsafe [] }
    let fonts = unsafe UnsafeBufferPointer(start: set.pointee.fonts, count: Int(set.pointee.nfont))
    return unsafe fonts.compactMap { font in
      // Skip fixed-size bitmap fonts, which Face cannot open. Fontconfig also marks color bitmap fonts as scalable.
      var isScalable: FcBool = 0
      guard unsafe FcPatternGetBool(font, FC_SCALABLE, 0, &isScalable) == FcResultMatch, isScalable != 0 else {
        return nil
      }
      var characters: OpaquePointer?
      let result = unsafe FcPatternGetCharSet(font, FC_CHARSET, 0, &characters)
      return unsafe result == FcResultMatch ? characters : nil
    }
  }

  /// The families of the default font, best first.
  ///
  /// At a distance, an I of Noto Sans is not taken for an l, which is likely in most other fonts of Debian. It has the
  /// letters of nearly all scripts. The command `scripts/bench fonts` compares them.
  static let defaultFamilies = "Noto Sans,sans-serif"

  /// Returns whether fontconfig can parse a family or pattern.
  static func canRead(_ request: String) -> Bool { FontPattern(request) != nil }

  /// Returns the font files closest to a family or a fontconfig pattern, best first.
  ///
  /// - Parameters:
  ///   - request: The family or pattern; nil for the default font.
  ///   - scalars: Code points that the font should have.
  ///   - inColor: Whether to prefer color fonts over outline fonts.
  ///   - all: Whether to return the full sorted list, which costs much more than the best match.
  /// - Returns: The files, or an empty array if the request cannot be parsed.
  func files(
    for request: String?, covering scalars: [Unicode.Scalar] = [], inColor: Bool = false, all: Bool = false
  ) -> [FontFile] {
    guard let pattern = FontPattern(request ?? Self.defaultFamilies) else { return [] }
    if inColor { pattern.preferColor() } else { pattern.preferOutlines() }
    pattern.require(scalars)
    unsafe pattern.substitute(in: config)
    return unsafe all ? pattern.sorted(in: config) : pattern.best(in: config).map { [$0] } ?? []
  }
}

/// A fontconfig pattern, destroyed with this value.
@safe
private struct FontPattern: ~Copyable {
  private let pattern: OpaquePointer

  init?(_ text: String) {
    guard
      let parsed = unsafe text.withCString({ name in
        unsafe name.withMemoryRebound(to: FcChar8.self, capacity: 1) { unsafe FcNameParse($0) }
      })
    else { return nil }
    unsafe pattern = parsed
  }

  deinit { unsafe FcPatternDestroy(pattern) }

  var family: String? { unsafe string(FC_FAMILY, 0, of: pattern) }

  /// Prefers outline fonts without color, because they can be drawn at any size.
  func preferOutlines() {
    unsafe FcPatternAddBool(pattern, FC_OUTLINE, 1)
    unsafe FcPatternAddBool(pattern, FC_SCALABLE, 1)
    unsafe FcPatternAddBool(pattern, FC_COLOR, 0)
  }

  /// Prefers color fonts, including bitmap fonts.
  func preferColor() { unsafe FcPatternAddBool(pattern, FC_COLOR, 1) }

  func require(_ scalars: [Unicode.Scalar]) {
    guard !scalars.isEmpty, let set = unsafe FcCharSetCreate() else { return }
    for scalar in scalars { unsafe FcCharSetAddChar(set, scalar.value) }
    unsafe FcPatternAddCharSet(pattern, FC_CHARSET, set)
    unsafe FcCharSetDestroy(set)
  }

  func substitute(in config: OpaquePointer) {
    unsafe FcConfigSubstitute(config, pattern, FcMatchPattern)
    unsafe FcDefaultSubstitute(pattern)
  }

  func best(in config: OpaquePointer) -> FontFile? {
    var result = FcResultNoMatch
    guard let match = unsafe FcFontMatch(config, pattern, &result) else { return nil }
    defer { unsafe FcPatternDestroy(match) }
    return unsafe FontFile(match)
  }

  func sorted(in config: OpaquePointer) -> [FontFile] {
    var result = FcResultNoMatch
    guard let set = unsafe FcFontSort(config, pattern, 0, nil, &result) else { return [] }
    defer { unsafe FcFontSetDestroy(set) }
    let fonts = unsafe UnsafeBufferPointer(start: set.pointee.fonts, count: Int(set.pointee.nfont))
    return unsafe fonts.compactMap { font in unsafe font.flatMap { unsafe FontFile($0) } }
  }
}

extension FontFile {
  /// Copies the file and family names of a match, which stays owned by the caller.
  fileprivate init?(_ match: OpaquePointer) {
    guard let path = unsafe string(FC_FILE, 0, of: match) else { return nil }
    var index: Int32 = 0
    if unsafe FcPatternGetInteger(match, FC_INDEX, 0, &index) != FcResultMatch { index = 0 }
    var families: [String] = []
    while families.count < 16, let name = unsafe string(FC_FAMILY, Int32(families.count), of: match) {
      families.append(name)
    }
    // The top bit marks a variable font that is matched as a whole (fontconfig, fcfreetype.c).
    self.init(
      path: path, index: Int(index) & 0x7FFF_FFFF, families: families,
      variations: unsafe string(FC_FONT_VARIATIONS, 0, of: match) ?? "")
  }
}

private func string(_ object: String, _ n: Int32, of pattern: OpaquePointer) -> String? {
  var value: UnsafeMutablePointer<FcChar8>?
  guard unsafe FcPatternGetString(pattern, object, n, &value) == FcResultMatch, let value = unsafe value else {
    return nil
  }
  return unsafe String(cString: value)
}
