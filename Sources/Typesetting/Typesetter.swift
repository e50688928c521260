/// Sets messages: chooses fonts, shapes, fits and draws glyphs. One thread uses it; it holds all fonts open.
public final class Typesetter {
  private let book: FontBook
  private let buffer: ShapingBuffer

  /// Starts FreeType and HarfBuzz; fontconfig starts when it is first asked for a font.
  ///
  /// `fontMemory` is the path of a file where fontconfig's answers are kept: they are believed at the next start, until
  /// `confirmFonts` is called. Nil keeps nothing.
  public init(fontMemory: String? = nil) throws(TypesettingError) {
    book = try FontBook(memory: fontMemory.map(FontMemory.init(path:)))
    buffer = try ShapingBuffer()
  }

  /// Asks fontconfig about the fonts that were only remembered. True where it names others now, so that what was set
  /// before must be set again. Takes long the first time.
  public func confirmFonts() throws(TypesettingError) -> Bool { try book.confirm() }

  /// Sets a message into a box as large as the rules allow, lines centred, broken at spaces and at line ends.
  ///
  /// `font` is a family, a fontconfig pattern or the absolute path of a file; nil asks for the default sans-serif.
  /// A message of any length takes bounded time: what could not be shown at any size is not shaped.
  public func set(_ message: String, by rules: FitRules, font: String? = nil) throws(TypesettingError) -> SetText {
    let choice = try book.font(for: font)
    let text = shape(message, by: rules, face: choice.face, request: font)
    let fitter = TextFitter(text: text, rules: rules)
    let fit = fitter.best()
    var result = fit.map { whole(fitter, $0) } ?? cut(fitter, message, choice.face)
    result.font = choice.face.file.name
    result.missing = text.missing
    result.warnings = warnings(choice, text, result.cut)
    return result
  }

  /// Draws one glyph: size in 64ths of a pixel an em, `shift` in 64ths of a pixel to the right. An unknown font or a
  /// glyph without ink gives an empty one.
  public func spans(of glyph: UInt32, font: FontID, size: Int32, shift: Int) -> GlyphSpans {
    guard Int(font.number) < book.faces.count, size > 0 else { return .empty }
    return book.faces[Int(font.number)].spans(of: glyph, size: Int(size), shift: shift)
  }

  func shape(_ message: String, by rules: FitRules, face: Face, request: String?) -> ShapedText {
    var shaper = MessageShaper(book: book, buffer: buffer, main: face, request: request)
    var probe = LineFiller(
      limit: TextFitter.width(rules.box, at: rules.minimum),
      mostLines: TextFitter.lines(of: face.metrics, in: rules.box, at: rules.minimum), breaksWords: true)
    return shaper.shape(message, probe: &probe)
  }

  /// The shaped text of a message, for tests of the fit.
  func fitter(_ message: String, by rules: FitRules, font: String? = nil) throws(TypesettingError) -> TextFitter {
    TextFitter(text: shape(message, by: rules, face: try book.font(for: font).face, request: font), rules: rules)
  }

  private func whole(_ fitter: TextFitter, _ fit: TextFitter.Fit) -> SetText {
    let lines = FilledLines(fitter, fit)
    return setLines(lines.lines, fitter, size: fit.size)
  }

  /// The beginning of a message that does not fit, at the smallest size, with an ellipsis.
  private func cut(_ fitter: TextFitter, _ message: String, _ face: Face) -> SetText {
    let fit = TextFitter.Fit(size: fitter.rules.minimum, breaksWords: true)
    var lines = FilledLines(fitter, fit)
    var text = fitter.text
    let shown = lines.cut(&text, ellipsis: ellipsis(face), limit: TextFitter.width(fitter.rules.box, at: fit.size))
    var result = setLines(lines.lines, TextFitter(text: text, rules: fitter.rules), size: fit.size)
    result.cut = TextCut(shown: shown, total: message.count)
    return result
  }

  private func setLines(_ lines: [LineSetter.Line], _ fitter: TextFitter, size: Int) -> SetText {
    var setter = LineSetter(text: fitter.text, box: fitter.rules.box, size: size)
    for (number, line) in lines.enumerated() { setter.set(line, number: number, of: lines.count) }
    let runs = setter.runs.filter { !$0.glyphs.isEmpty }
    return SetText(size: size, runs: runs, lineCount: lines.count, font: "", cut: nil, missing: [], warnings: [])
  }

  /// Three dots where the font has no ellipsis.
  private func ellipsis(_ face: Face) -> ShapedText {
    var shaper = MessageShaper(book: book, buffer: buffer, main: face, request: nil)
    var probe = LineFiller(limit: .max, mostLines: .max, breaksWords: false)
    return shaper.shape(face.glyph(for: "\u{2026}") == nil ? "..." : "\u{2026}", probe: &probe)
  }

  private func warnings(_ choice: FontBook.FontChoice, _ text: ShapedText, _ cut: TextCut?) -> [String] {
    var warnings: [String] = []
    if let warning = choice.warning { warnings.append(warning) }
    if let cut { warnings.append("the text was cut after \(cut.shown) of \(cut.total) characters: it does not fit") }
    if !text.missing.isEmpty {
      let names = text.missing.map { "U+" + hex($0.value) }.joined(separator: ", ")
      warnings.append("no installed font has \(names)")
    }
    if text.overlongCharacters > 0 {
      warnings.append(
        "\(text.overlongCharacters) characters hold more than 32 code points; the rest of each was left out")
    }
    return warnings
  }

  private func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
