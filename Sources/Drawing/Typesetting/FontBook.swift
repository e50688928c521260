import CFontconfig

/// The open fonts of one typesetter, with caches of the font chosen for each request.
final class FontBook {
  private let library: FontLibrary
  private var configuration: FontConfiguration?
  private var memory: FontCache?
  /// Requests answered from the font memory and not yet confirmed by fontconfig.
  private var unconfirmed: [String?] = []
  private(set) var faces: [Face] = []
  private var choices: [String: FontChoice] = [:]
  private var fallbacks: [FallbackKey: FontID?] = [:]
  /// Fallback fonts by purpose, in the order in which they were found.
  private var fallbackFonts: [FallbackKey: [FontID]] = [:]

  init(memory: FontCache?) throws(TypesettingError) {
    library = try FontLibrary()
    self.memory = memory
  }

  /// A font for a request, and a warning if it differs from the request.
  struct FontChoice {
    var face: Face
    var warning: String?
  }

  /// Returns the font for a family, a fontconfig pattern, or an absolute file path; nil requests the default.
  func font(for request: String?) throws(TypesettingError) -> FontChoice {
    let key = request ?? ""
    if let known = choices[key] { return known }
    let choice = try request?.first == "/" ? choose(file: key) : choose(pattern: request)
    choices[key] = choice
    return choice
  }

  /// Asks fontconfig about the requests that were answered from the font memory.
  ///
  /// - Throws: `TypesettingError` if fontconfig cannot start or finds no font.
  /// - Returns: Whether an answer changed, which makes text that was already set out of date.
  func confirm() throws(TypesettingError) -> Bool {
    if unconfirmed.isEmpty { return false }
    _ = try startedConfiguration()
    let before = choices
    // Discard all choices: the choice for an unusable file holds the default font.
    choices = [:]
    var hasChanged = false
    while let request = unconfirmed.popLast() {
      hasChanged = try font(for: request).face !== before[request ?? ""]?.face || hasChanged
    }
    return hasChanged
  }

  /// Whether fontconfig would read its folders anew, or a font's file was missing that may be there now.
  var isOutOfDate: Bool {
    let isFileMissing = choices.contains { $0.key.first == "/" && $0.value.warning != nil }
    // Asked in any case: this lets fontconfig read its folders.
    let isConfigurationOld = configuration?.isOutOfDate ?? false
    return isConfigurationOld || isFileMissing
  }

  /// Returns the font closest to the request that has these code points, or nil if none is installed.
  func fallback(for scalars: [Unicode.Scalar], like request: String?, language: String? = nil) -> Face? {
    let wanted = CanonicalForm.composed(scalars).filter(FontBook.needsGlyph)
    return helper(FallbackKey(scalars: wanted, request: request, language: language, isEmoji: false))
  }

  /// Returns a color font that has these code points, otherwise any font that has them, or nil.
  func emoji(for scalars: [Unicode.Scalar]) -> Face? {
    // Selectors, joiners, and skin tones combine with the preceding code point or are optional.
    let wanted = scalars.prefix(1) + scalars.dropFirst().filter { FontBook.needsGlyph($0) && $0.value != 0x20E3 }
    return helper(FallbackKey(scalars: Array(wanted), request: "emoji", language: nil, isEmoji: true))
  }

  /// Returns whether a font needs a glyph to show this code point.
  ///
  /// Joiners and selectors need none, and HarfBuzz substitutes the plain space for fixed-width spaces.
  ///
  /// - Parameter scalar: The code point.
  /// - Returns: False for default-ignorable code points, U+00A0, and U+202F.
  static func needsGlyph(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return true }
    return !scalar.properties.isDefaultIgnorableCodePoint && scalar != "\u{A0}" && scalar != "\u{202F}"
  }

  /// The key of a fallback lookup.
  private struct FallbackKey: Hashable {
    var scalars: [Unicode.Scalar]
    var request: String?
    var language: String?
    var isEmoji: Bool

    /// The key without the code points.
    var purpose: FallbackKey { FallbackKey(scalars: [], request: request, language: language, isEmoji: isEmoji) }
  }

  private func helper(_ help: FallbackKey) -> Face? {
    if let known = fallbacks[help] { return known.map { faces[Int($0.number)] } }
    if fallbacks.count > 4096 { fallbacks = [:] }
    let face = findHelper(help)
    fallbacks[help] = .some(face?.id)
    return face
  }

  private func findHelper(_ help: FallbackKey) -> Face? {
    guard !help.scalars.isEmpty, let configuration = try? startedConfiguration() else { return nil }
    // Try fonts that already serve as fallbacks first: neighboring letters match, and no fontconfig match is needed.
    let purpose = help.purpose
    for id in fallbackFonts[purpose] ?? [] {
      let face = faces[Int(id.number)]
      if face.covers(help.scalars) { return face }
    }
    guard configuration.covers(help.scalars) else { return nil }
    var pattern = help.request.flatMap { $0.first != "/" && FontConfiguration.canRead($0) ? $0 : nil }
    if let language = help.language { pattern = (pattern ?? "sans-serif") + ":lang=" + language }
    for file in configuration.files(for: pattern, covering: help.scalars, inColor: help.isEmoji) {
      guard let face = try? open(file), face.covers(help.scalars) else { continue }
      fallbackFonts[purpose, default: []].append(face.id)
      return face
    }
    return nil
  }

  /// Returns the request for a style's font: a path or a fontconfig pattern.
  ///
  /// - Parameter style: The style.
  /// - Returns: A path, to which `:wght=` and the weight are appended if the style has a weight; a fontconfig pattern;
  ///   or nil for the default font.
  static func request(for style: TextStyle) -> String? {
    let name = style.font ?? (style.isMonospaced ? "monospace" : nil)
    if let name, name.first == "/" { return style.weight.map { "\(name):wght=\($0)" } ?? name }
    let weight = style.weight.map { ":weight=\(FcWeightFromOpenType(Int32(clamping: min(max($0, 1), 1000))))" } ?? ""
    let slant = style.isItalic ? ":slant=\(FC_SLANT_ITALIC)" : ""
    return weight.isEmpty && slant.isEmpty ? name : (name ?? FontConfiguration.defaultFamilies) + weight + slant
  }

  private func choose(file request: String) throws(TypesettingError) -> FontChoice {
    let mark = request.lastIndex(of: ":").flatMap { request[$0...].hasPrefix(":wght=") ? $0 : nil } ?? request.endIndex
    let path = String(request[..<mark])
    let file = FontFile(path: path, index: 0, families: [], variations: String(request[mark...].dropFirst()))
    do throws(TypesettingError) {
      return FontChoice(face: try open(file), warning: nil)
    } catch {
      let other = try font(for: nil)
      return FontChoice(face: other.face, warning: "\(error); using \(other.face.file.name) instead")
    }
  }

  private func choose(pattern: String?) throws(TypesettingError) -> FontChoice {
    if let face = remembered(pattern) { return choice(face, for: pattern) }
    let configuration = try startedConfiguration()
    let best = openFirst(of: configuration.files(for: pattern))
    // The full sorted list is expensive, so request it only if the best match cannot be opened.
    guard let face = best ?? openFirst(of: configuration.files(for: pattern, all: true)) else {
      guard let pattern else { throw .noFont(asked: "the default font") }
      // Fontconfig also returns no files for a pattern that it cannot parse.
      let other = try font(for: nil)
      return FontChoice(
        face: other.face, warning: "there is no font for \(pattern); using \(other.face.file.name) instead")
    }
    memory?.remember(face.file, for: pattern ?? "")
    return choice(face, for: pattern)
  }

  private func choice(_ face: Face, for pattern: String?) -> FontChoice {
    FontChoice(face: face, warning: pattern.flatMap { warning(asked: $0, got: face.file) })
  }

  /// Returns the answer stored by an earlier start, unless fontconfig is already loaded or the file cannot be opened.
  private func remembered(_ pattern: String?) -> Face? {
    guard configuration == nil, let file = memory?.file(for: pattern ?? ""), let face = try? open(file) else {
      return nil
    }
    unconfirmed.append(pattern)
    return face
  }

  private func openFirst(of files: [FontFile]) -> Face? {
    for file in files {
      if let face = try? open(file) { return face }
    }
    return nil
  }

  private func open(_ file: FontFile) throws(TypesettingError) -> Face {
    if let known = faces.first(where: { $0.file.isSameFace(as: file) }) { return known }
    let face = try Face(file, id: FontID(UInt32(faces.count)), library: library)
    faces.append(face)
    return face
  }

  private func warning(asked: String, got: FontFile) -> String? {
    guard !asked.hasPrefix(FontConfiguration.defaultFamilies),
      let family = FontConfiguration.family(askedBy: asked), !FontBook.generic.contains(family.lowercased()),
      !got.families.contains(where: { $0.lowercased() == family.lowercased() })
    else { return nil }
    return "font \(family) is not installed; using \(got.name) instead"
  }

  private func startedConfiguration() throws(TypesettingError) -> FontConfiguration {
    if let configuration { return configuration }
    let started = try FontConfiguration()
    configuration = started
    return started
  }

  /// Generic family names, for which any font is an acceptable match.
  private static let generic: Set<String> = [
    "sans-serif", "sans", "serif", "monospace", "mono", "system-ui", "cursive", "fantasy", "emoji", "math",
  ]
}
