import Geometry
package import Hyphenation

/// A typesetter: chooses fonts, shapes and fits messages, and draws glyphs.
///
/// It must be used from one thread at a time and keeps all its fonts open.
package final class Typesetter {
  let book: FontBook
  private let buffer: ShapingBuffer
  private lazy var lineBreaks = LineBreaks()
  /// The hyphenation of words that are too long for a line.
  let hyphenator: Hyphenator

  /// Starts FreeType and HarfBuzz; fontconfig starts with the first font request that it must answer.
  ///
  /// - Parameters:
  ///   - fontMemory: The path of a file that stores fontconfig's answers. The next start uses them until
  ///     `confirmFonts()` is called. Nil stores nothing.
  ///   - hyphenator: The hyphenation of words that are too long for a line.
  /// - Throws: `TypesettingError.library` if a library does not start.
  package init(
    fontMemory: String? = nil, hyphenator: Hyphenator = Hyphenator()
  ) throws(TypesettingError) {
    self.hyphenator = hyphenator
    book = try FontBook(memory: fontMemory.map(FontCache.init(path:)))
    buffer = try ShapingBuffer()
  }

  /// Asks fontconfig about the fonts that were chosen from the font memory; slow on the first call.
  ///
  /// - Throws: `TypesettingError` if fontconfig cannot start or finds no font.
  /// - Returns: Whether a font changed, so that text set before must be set again.
  package func confirmFonts() throws(TypesettingError) -> Bool { try book.confirm() }

  /// Returns why a font is replaced by another one.
  ///
  /// - Parameter font: As in `TextStyle`.
  /// - Returns: A sentence that names both fonts; nil if the font can be used.
  /// - Throws: `TypesettingError` if no font can be opened.
  package func warning(ofFont font: String) throws(TypesettingError) -> String? { try book.font(for: font).warning }

  /// Whether fonts were installed or removed since fontconfig was first asked, or the file of a font was missing then.
  /// Looks at the folders' times.
  package var isOutOfDate: Bool { book.isOutOfDate }

  /// Sets a message in one style; `font` has the meaning of `TextStyle.font`.
  ///
  /// - Parameters:
  ///   - message: The text.
  ///   - rules: The box and the size limits.
  ///   - font: A family, a fontconfig pattern, or an absolute file path; nil for the default font.
  /// - Throws: `TypesettingError` if no font can be opened.
  /// - Returns: The glyph runs, the chosen size, and warnings.
  package func set(_ message: String, by rules: FitRules, font: String? = nil) throws(TypesettingError) -> TypesetText {
    try set(StyledText(message, style: TextStyle(font: font)), by: rules)
  }

  /// Sets a message into a box, as large as the rules allow.
  ///
  /// Lines break by UAX #14, and each line is ordered by UAX #9. The time is bounded for a message of any length: text
  /// that cannot be shown at any size is not shaped. The first run's font determines the line metrics and supplies the
  /// ellipsis.
  ///
  /// - Parameters:
  ///   - message: The text.
  ///   - rules: The box and the size limits.
  /// - Throws: `TypesettingError` if no font can be opened.
  /// - Returns: The glyph runs, the chosen size, and warnings.
  package func set(_ message: StyledText, by rules: FitRules) throws(TypesettingError) -> TypesetText {
    let choice = try book.font(for: message.runs.first.flatMap { FontBook.request(for: $0.style) })
    var shaper = shaper(message, choice.face)
    let text = shape(&shaper, by: rules, choice.face)
    let fitter = TextFitter(text: text, rules: rules)
    let fit = fitter.best()
    if let least = fitter.leastDividedSize(after: fit), let divided = divided(message, by: rules, choice.face),
      divided.fit.size >= least
    {
      var result = whole(divided.fitter, divided.fit)
      result.font = choice.face.file.name
      result.missing = text.missing
      result.warnings = warnings(choice, divided.fitter.text, nil, lacksBreaks: shaper.lacksBreaks)
      return result
    }
    var result = fit.map { whole(fitter, $0) } ?? cut(fitter, message, choice.face)
    result.font = choice.face.file.name
    result.missing = text.missing
    result.warnings = warnings(choice, text, result.cut, lacksBreaks: shaper.lacksBreaks)
    if fit == nil, result.cut == nil, !text.words.isEmpty {
      result.warnings.append("a letter is wider than the display at the smallest size: part of it is not shown")
    }
    return result
  }

  /// Returns the height of the capital letter H in the font and size of a run.
  ///
  /// - Parameter run: A run of this typesetter.
  /// - Returns: The height in pixels; nil if the font has no such letter.
  package func capitalHeight(of run: GlyphRun) -> Double? {
    guard Int(run.font.number) < book.faces.count else { return nil }
    return book.faces[Int(run.font.number)].capitalHeight.map { Double($0) * Double(run.size) / Double(64 * Em.units) }
  }

  /// Draws one glyph.
  ///
  /// - Parameters:
  ///   - glyph: The glyph ID.
  ///   - font: A font of this typesetter.
  ///   - size: The size, in 64ths of a pixel per em.
  ///   - shift: The shift to the right, in 64ths of a pixel.
  /// - Returns: The drawing. It is empty for an unknown font or a glyph without ink.
  package func drawing(of glyph: UInt32, font: FontID, size: Int32, shift: Int) -> GlyphDrawing {
    guard Int(font.number) < book.faces.count, size > 0 else { return .spans(.empty) }
    return book.faces[Int(font.number)].drawing(of: glyph, size: Int(size), shift: shift)
  }

  func shaper(_ message: StyledText, _ face: Face) -> MessageShaper {
    let tools = MessageShaper.Tools(book: book, buffer: buffer, lineBreaks: { self.lineBreaks })
    return MessageShaper(message, main: face, tools: tools)
  }

  func shape(_ shaper: inout MessageShaper, by rules: FitRules, _ face: Face) -> ShapedText {
    var probe = LineFiller(
      limit: TextFitter.width(rules.box, at: rules.minimum),
      mostLines: TextFitter.lines(of: face.metrics, by: rules, at: rules.minimum), breaksWords: true)
    return shaper.shape(probe: &probe)
  }

  /// Returns the shaped text of a message, for tests of the fit.
  func fitter(_ message: StyledText, by rules: FitRules) throws(TypesettingError) -> TextFitter {
    let face = try book.font(for: message.runs.first.flatMap { FontBook.request(for: $0.style) }).face
    var shaper = shaper(message, face)
    return TextFitter(text: shape(&shaper, by: rules, face), rules: rules)
  }

  /// Returns the glyphs of a message, item by item, for comparison tests against other programs.
  func glyphs(of message: StyledText) throws(TypesettingError) -> [[ShapingBuffer.Placed]] {
    let face = try book.font(for: message.runs.first.flatMap { FontBook.request(for: $0.style) }).face
    var shaper = shaper(message, face)
    return shaper.glyphs()
  }

  private func whole(_ fitter: TextFitter, _ fit: TextFitter.Fit) -> TypesetText {
    let lines = FilledLines(fitter, fit)
    return setLines(lines.lines, fitter, size: fit.size)
  }

  /// Sets the beginning of a message that does not fit, at the smallest size, with an ellipsis.
  private func cut(_ fitter: TextFitter, _ message: StyledText, _ face: Face) -> TypesetText {
    let fit = TextFitter.Fit(size: fitter.rules.minimum, breaksWords: true)
    var lines = FilledLines(fitter, fit)
    // All lines are present, but a letter may still be wider than a line.
    let limit = TextFitter.width(fitter.rules.box, at: fit.size)
    let lastFits = lines.lines.last.map { $0.extent.width <= limit } ?? false
    if lines.isWhole, lastFits { return setLines(lines.lines, fitter, size: fit.size) }
    var text = fitter.text
    let shown = lines.cut(
      &text, ellipsis: ellipsis(face, message.runs.first?.style),
      limit: limit)
    var result = setLines(lines.lines, TextFitter(text: text, rules: fitter.rules), size: fit.size)
    if message.count > 0 { result.cut = TextTruncation(shown: shown, total: message.count) }
    return result
  }

  private func setLines(_ lines: [LineSetter.Line], _ fitter: TextFitter, size: Int) -> TypesetText {
    var setter = LineSetter(text: fitter.text, rules: fitter.rules, size: size)
    for (number, line) in lines.enumerated() { setter.set(line, number: number, of: lines.count) }
    let runs = setter.runs.filter { !$0.glyphs.isEmpty }
    let height = min(fitter.rules.box.height, fitter.height(ofLines: lines.count, at: size))
    return TypesetText(
      size: size, runs: runs, lineCount: lines.count, height: height, font: "", cut: nil, missing: [], warnings: [])
  }

  /// Shapes an ellipsis, or three dots if the font has no ellipsis glyph.
  private func ellipsis(_ face: Face, _ style: TextStyle?) -> ShapedText {
    let dots = face.glyph(for: "\u{2026}") == nil ? "..." : "\u{2026}"
    var shaper = shaper(StyledText(dots, style: style ?? TextStyle()), face)
    var probe = LineFiller(limit: .max, mostLines: .max, breaksWords: false)
    return shaper.shape(probe: &probe)
  }

  func warnings(
    _ choice: FontBook.FontChoice, _ text: ShapedText, _ cut: TextTruncation?, lacksBreaks: Bool
  ) -> [String] {
    var warnings: [String] = []
    if let warning = choice.warning { warnings.append(warning) }
    if let cut { warnings.append("the text was cut after \(cut.shown) of \(cut.total) characters: it does not fit") }
    warnings += MissingGlyphs.warnings(text.missing)
    if text.overlongCharacters > 0 {
      warnings.append(
        "\(text.overlongCharacters) characters have more than 32 code points; the rest of each was omitted")
    }
    if lacksBreaks {
      warnings.append(
        "\(LineBreaks.library) is not installed: lines are broken at spaces only (install libicu\(LineBreaks.version))"
      )
    }
    return warnings
  }
}
