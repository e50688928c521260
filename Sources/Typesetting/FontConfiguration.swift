import CFontconfig

/// The system's fontconfig, shared by all typesetters of the process: it answers which file to open.
@safe
final class FontConfiguration {
  private let config: OpaquePointer
  /// What all fonts have together, from the first time that something is looked for.
  private var everything: OpaquePointer?

  init() throws(TypesettingError) {
    // FcInit is what is slow (142 ms where no cache was written); it does nothing the second time.
    guard FcInit() != 0, let config = unsafe FcConfigReference(nil) else {
      throw .library(name: "fontconfig", code: 0)
    }
    unsafe self.config = config
  }

  deinit {
    if let everything = unsafe everything { unsafe FcCharSetDestroy(everything) }
    unsafe FcConfigDestroy(config)
  }

  /// Whether fonts were installed or removed since: the next one to be made knows them. The first that finds this out
  /// reads the folders, for all of the process.
  var isOutOfDate: Bool {
    if unsafe FcConfigGetCurrent() != config { return true }
    if unsafe FcConfigUptoDate(config) != 0 { return false }
    return FcInitReinitialize() != 0
  }

  /// The family that a pattern asks for by name, nil where it leaves the family open.
  static func family(askedBy request: String) -> String? {
    guard let pattern = FontPattern(request) else { return nil }
    return pattern.family
  }

  /// Whether any font of the system has all of these: looking takes microseconds, matching in vain takes milliseconds.
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

  /// The code points of each font of the system; they stay fontconfig's.
  private func characterSets() -> [OpaquePointer] {
    guard let set = unsafe FcConfigGetFonts(config, FcSetSystem) else { return unsafe [] }
    let fonts = unsafe UnsafeBufferPointer(start: set.pointee.fonts, count: Int(set.pointee.nfont))
    return unsafe fonts.compactMap { font in
      // Bitmaps of one size, which no Face is made of, unless they are in colour: those count as scalable, too.
      var isScalable: FcBool = 0
      guard unsafe FcPatternGetBool(font, FC_SCALABLE, 0, &isScalable) == FcResultMatch, isScalable != 0 else {
        return nil
      }
      var characters: OpaquePointer?
      let result = unsafe FcPatternGetCharSet(font, FC_CHARSET, 0, &characters)
      return unsafe result == FcResultMatch ? characters : nil
    }
  }

  /// Whether fontconfig understands a family or pattern.
  static func canRead(_ request: String) -> Bool { FontPattern(request) != nil }

  /// The files that come closest to a family or a fontconfig pattern (nil: the default sans-serif), best first.
  /// The sorted list beyond the best is asked for with `all` only: it costs much more.
  func files(
    for request: String?, covering scalars: [Unicode.Scalar] = [], inColor: Bool = false, all: Bool = false
  ) -> [FontFile] {
    guard let pattern = FontPattern(request ?? "sans-serif") else { return [] }
    if inColor { pattern.preferColor() } else { pattern.preferOutlines() }
    pattern.require(scalars)
    unsafe pattern.substitute(in: config)
    return unsafe all ? pattern.sorted(in: config) : pattern.best(in: config).map { [$0] } ?? []
  }
}

/// A fontconfig pattern, freed with this value.
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

  /// Asks for fonts with outlines and without colours: those are what can be drawn at any size.
  func preferOutlines() {
    unsafe FcPatternAddBool(pattern, FC_OUTLINE, 1)
    unsafe FcPatternAddBool(pattern, FC_SCALABLE, 1)
    unsafe FcPatternAddBool(pattern, FC_COLOR, 0)
  }

  /// Asks for fonts with colours, bitmaps too.
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
  /// What a match says; the pattern stays the caller's, and its strings are copied.
  fileprivate init?(_ match: OpaquePointer) {
    guard let path = unsafe string(FC_FILE, 0, of: match) else { return nil }
    var index: Int32 = 0
    if unsafe FcPatternGetInteger(match, FC_INDEX, 0, &index) != FcResultMatch { index = 0 }
    var families: [String] = []
    while families.count < 16, let name = unsafe string(FC_FAMILY, Int32(families.count), of: match) {
      families.append(name)
    }
    // The top bit says that a variable font was meant as a whole (fontconfig, fcfreetype.c).
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
