import CFontconfig

/// The open fonts of one typesetter, and what was found for whom.
final class FontBook {
  private let library: FontLibrary
  private var configuration: FontConfiguration?
  private var memory: FontMemory?
  /// Requests that were answered from memory.
  private var unconfirmed: [String?] = []
  private(set) var faces: [Face] = []
  private var choices: [String: FontChoice] = [:]
  private var fallbacks: [Help: FontID?] = [:]
  /// Fonts that helped out, by purpose, in the order in which they came.
  private var helpers: [Help: [FontID]] = [:]

  init(memory: FontMemory?) throws(TypesettingError) {
    library = try FontLibrary()
    self.memory = memory
  }

  /// A font for a request, and what has to be said about it.
  struct FontChoice {
    var face: Face
    var warning: String?
  }

  /// The font for a family, a fontconfig pattern or the absolute path of a file; nil asks for the default.
  func font(for request: String?) throws(TypesettingError) -> FontChoice {
    let key = request ?? ""
    if let known = choices[key] { return known }
    let choice = try request?.first == "/" ? choose(file: key) : choose(pattern: request)
    choices[key] = choice
    return choice
  }

  /// Asks fontconfig what was only remembered so far. True where its answer is another one now: what was set before
  /// is out of date.
  func confirm() throws(TypesettingError) -> Bool {
    if unconfirmed.isEmpty { return false }
    _ = try startedConfiguration()
    let before = choices
    // All of them: one for a file that cannot be used holds the default's.
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

  /// A font that has these code points, as near to the request as can be; nil where the system has none.
  func fallback(for scalars: [Unicode.Scalar], like request: String?, language: String? = nil) -> Face? {
    let wanted = CanonicalForm.composed(scalars).filter(FontBook.needsGlyph)
    return helper(Help(scalars: wanted, request: request, language: language, isEmoji: false))
  }

  /// A font that has these code points in colour; else any that has them.
  func emoji(for scalars: [Unicode.Scalar]) -> Face? {
    // Selectors, joiners and skin tones become one shape with what is before them, or are not needed.
    let wanted = scalars.prefix(1) + scalars.dropFirst().filter { FontBook.needsGlyph($0) && $0.value != 0x20E3 }
    return helper(Help(scalars: Array(wanted), request: "emoji", language: nil, isEmoji: true))
  }

  /// Whether a font must have this code point to show it; joiners and selectors do without, and HarfBuzz makes fixed
  /// spaces of the plain one.
  static func needsGlyph(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return true }
    return !scalar.properties.isDefaultIgnorableCodePoint && scalar != "\u{A0}" && scalar != "\u{202F}"
  }

  /// What a font is to help out with.
  private struct Help: Hashable {
    var scalars: [Unicode.Scalar]
    var request: String?
    var language: String?
    var isEmoji: Bool

    /// The same without the code points.
    var purpose: Help { Help(scalars: [], request: request, language: language, isEmoji: isEmoji) }
  }

  private func helper(_ help: Help) -> Face? {
    if let known = fallbacks[help] { return known.map { faces[Int($0.number)] } }
    if fallbacks.count > 4096 { fallbacks = [:] }
    let face = findHelper(help)
    fallbacks[help] = .some(face?.id)
    return face
  }

  private func findHelper(_ help: Help) -> Face? {
    guard !help.scalars.isEmpty, let configuration = try? startedConfiguration() else { return nil }
    // A font that already helps out is asked first: neighbouring letters look alike, and no match has to be made.
    let purpose = help.purpose
    for id in helpers[purpose] ?? [] {
      let face = faces[Int(id.number)]
      if face.covers(help.scalars) { return face }
    }
    guard configuration.covers(help.scalars) else { return nil }
    var pattern = help.request.flatMap { $0.first != "/" && FontConfiguration.canRead($0) ? $0 : nil }
    if let language = help.language { pattern = (pattern ?? "sans-serif") + ":lang=" + language }
    for file in configuration.files(for: pattern, covering: help.scalars, inColor: help.isEmoji) {
      guard let face = try? open(file), face.covers(help.scalars) else { continue }
      helpers[purpose, default: []].append(face.id)
      return face
    }
    return nil
  }

  /// The request for a style's font: a path, or a pattern of fontconfig's. A path that is followed by `:wght=` and a
  /// weight is a variable font of that weight.
  static func request(for style: TextStyle) -> String? {
    let name = style.font ?? (style.isMonospaced ? "monospace" : nil)
    if let name, name.first == "/" { return style.weight.map { "\(name):wght=\($0)" } ?? name }
    let weight = style.weight.map { ":weight=\(FcWeightFromOpenType(Int32(clamping: min(max($0, 1), 1000))))" } ?? ""
    let slant = style.isItalic ? ":slant=\(FC_SLANT_ITALIC)" : ""
    return weight.isEmpty && slant.isEmpty ? name : (name ?? "sans-serif") + weight + slant
  }

  private func choose(file request: String) throws(TypesettingError) -> FontChoice {
    let mark = request.lastIndex(of: ":").flatMap { request[$0...].hasPrefix(":wght=") ? $0 : nil } ?? request.endIndex
    let path = String(request[..<mark])
    let file = FontFile(path: path, index: 0, families: [], variations: String(request[mark...].dropFirst()))
    do throws(TypesettingError) {
      return FontChoice(face: try open(file), warning: nil)
    } catch {
      let other = try font(for: nil)
      return FontChoice(face: other.face, warning: "\(error); \(other.face.file.name) was taken")
    }
  }

  private func choose(pattern: String?) throws(TypesettingError) -> FontChoice {
    if let face = remembered(pattern) { return choice(face, for: pattern) }
    let configuration = try startedConfiguration()
    let best = openFirst(of: configuration.files(for: pattern))
    // The whole list is sorted only where the best match turns out to be of no use.
    guard let face = best ?? openFirst(of: configuration.files(for: pattern, all: true)) else {
      guard let pattern else { throw .noFont(asked: "the default sans-serif") }
      // Also where fontconfig cannot read the pattern.
      let other = try font(for: nil)
      return FontChoice(face: other.face, warning: "there is no font for \(pattern); \(other.face.file.name) was taken")
    }
    memory?.remember(face.file, for: pattern ?? "")
    return choice(face, for: pattern)
  }

  private func choice(_ face: Face, for pattern: String?) -> FontChoice {
    FontChoice(face: face, warning: pattern.flatMap { warning(asked: $0, got: face.file) })
  }

  /// The answer of an earlier start, as long as fontconfig is not there to be asked.
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
    guard let family = FontConfiguration.family(askedBy: asked), !FontBook.generic.contains(family.lowercased()),
      !got.families.contains(where: { $0.lowercased() == family.lowercased() })
    else { return nil }
    return "font \(family) is not installed; \(got.name) was taken"
  }

  private func startedConfiguration() throws(TypesettingError) -> FontConfiguration {
    if let configuration { return configuration }
    let started = try FontConfiguration()
    configuration = started
    return started
  }

  /// Names that stand for whatever the system has of a kind.
  private static let generic: Set<String> = [
    "sans-serif", "sans", "serif", "monospace", "mono", "system-ui", "cursive", "fantasy", "emoji", "math",
  ]
}
