/// Reads a message paragraph by paragraph and shapes each part once.
struct MessageShaper {
  private let itemizer: Itemizer
  private let tools: Tools
  private var reader: MessageReader
  private var builder: WordBuilder

  /// The resources shared by all messages.
  struct Tools {
    let book: FontBook
    let buffer: ShapingBuffer
    /// Loads ICU on first use; returns nil if it is not installed.
    let lineBreaks: () -> LineBreaks?
  }

  /// The cluster limit: more than any display can show. It bounds memory for letters without width.
  private static let mostClusters = 1 << 17

  private(set) var text: ShapedText
  /// Whether ICU was needed and not available.
  private(set) var lacksBreaks = false
  private var hasHyphens = false

  init(_ message: StyledText, main: Face, tools: Tools) {
    self.tools = tools
    reader = MessageReader(message)
    builder = WordBuilder()
    itemizer = Itemizer(book: tools.book, hanLanguage: Itemizer.hanLanguage(of: message))
    let space = main.glyph(for: " ").map(main.advance) ?? Em.units / 4
    text = ShapedText(metrics: main.metrics, tabStop: max(1, 8 * space))
  }

  /// Shapes until the message ends or nothing more can be shown.
  ///
  /// - Parameter probe: A filler of lines at the smallest size, which detects that the box is full.
  /// - Returns: The shaped text.
  mutating func shape(probe: inout LineFiller) -> ShapedText {
    while !isFull(&probe), let paragraph = reader.next() { shape(paragraph) }
    builder.endWord(&text)
    text.overlongCharacters = reader.overlongCharacters
    text.isComplete = !isFull(&probe)
    if hasHyphens, let style = reader.styles.indices.first { addHyphen(UInt16(style)) }
    return text
  }

  /// Returns the glyphs of each item as HarfBuzz places them.
  mutating func glyphs() -> [[ShapingBuffer.Placed]] {
    var all: [[ShapingBuffer.Placed]] = []
    while let paragraph = reader.next() {
      let ready = PreparedParagraph(paragraph, breaks: breaks(in: paragraph.scalars))
      for item in itemizer.items(of: ready, styles: reader.styles) { all.append(placed(item, ready)) }
    }
    return all
  }

  private func isFull(_ probe: inout LineFiller) -> Bool {
    while probe.placedWords < text.words.count, !probe.isFull { probe.place(probe.placedWords, of: text) }
    return probe.isFull || text.clusters.count >= MessageShaper.mostClusters
  }

  private mutating func shape(_ paragraph: MessageReader.Paragraph) {
    let ready = PreparedParagraph(paragraph, breaks: breaks(in: paragraph.scalars))
    text.isBidi = text.isBidi || ready.isBidi
    hasHyphens = hasHyphens || ready.hyphens.contains(true)
    builder.begin(ready, &text)
    for item in itemizer.items(of: ready, styles: reader.styles) { shape(item, ready) }
  }

  private mutating func breaks(in scalars: [TextScalar]) -> [Bool] {
    var breaks = opportunities(in: scalars)
    LineBreaks.keepUnits(with: scalars, in: &breaks)
    return breaks
  }

  private mutating func opportunities(in scalars: [TextScalar]) -> [Bool] {
    if LineBreaks.isPlain(scalars) { return LineBreaks.atSpaces(in: scalars) }
    if let breaks = tools.lineBreaks()?.opportunities(in: scalars) { return breaks }
    lacksBreaks = true
    return LineBreaks.atSpaces(in: scalars)
  }

  private mutating func shape(_ item: Itemizer.Item, _ paragraph: PreparedParagraph) {
    let placed = placed(item, paragraph)
    let look = look(item.face, reader.styles[Int(item.style)])
    let clusters = visualClusters(placed, paragraph)
    for glyphs in item.level & 1 == 1 ? clusters.reversed() : clusters {
      append(placed[glyphs], item, paragraph, look: look)
    }
    text.metrics.include(item.face.metrics.scaled(text.looks[Int(look)].scale))
  }

  private func placed(_ item: Itemizer.Item, _ paragraph: PreparedParagraph) -> [ShapingBuffer.Placed] {
    let style = reader.styles[Int(item.style)]
    let manner = ShapingBuffer.Parameters(
      script: item.script, isRightToLeft: item.level & 1 == 1, language: itemizer.language(of: item, style),
      features: style.features)
    return tools.buffer.shape(item.places, of: paragraph.codePoints, face: item.face, manner)
  }

  /// Returns ranges of glyphs that share a HarfBuzz cluster or a Character, from left to right.
  private func visualClusters(_ placed: [ShapingBuffer.Placed], _ paragraph: PreparedParagraph) -> [Range<Int>] {
    var starts: [Int] = []
    for index in placed.indices {
      if index > 0 {
        let (before, place) = (placed[index - 1].place, placed[index].place)
        let isOne = before == place || paragraph.character(at: before) == paragraph.character(at: place)
        if isOne { continue }
      }
      starts.append(index)
    }
    starts.append(placed.count)
    return zip(starts, starts.dropFirst()).map { $0..<$1 }
  }

  private mutating func append(
    _ placed: ArraySlice<ShapingBuffer.Placed>, _ item: Itemizer.Item, _ paragraph: PreparedParagraph, look: UInt16
  ) {
    guard let place = placed.lazy.map(\.place).min() else { return }
    appendGlyphs(placed, item.face, look, character: paragraph.character(at: place), level: item.level)
    if placed.contains(where: { $0.glyph == 0 }) { noteMissing(paragraph, Int(place), item.face) }
    builder.add(text.clusters.count - 1, at: Int(place), of: paragraph, &text)
  }

  private mutating func appendGlyphs(
    _ placed: ArraySlice<ShapingBuffer.Placed>, _ face: Face, _ look: UInt16, character: UInt32, level: UInt8
  ) {
    let scale = text.looks[Int(look)].scale
    var extent = Extent()
    let first = text.glyphs.count
    for glyph in placed {
      let ink = face.ink(of: glyph.glyph).scaled(scale)
      let x = Int32(truncatingIfNeeded: extent.advance) &+ glyph.x.scaled(scale)
      let y = glyph.y.scaled(scale)
      text.glyphs.append(ShapedGlyph(id: glyph.glyph, look: look, x: x, y: y, ink: ink))
      if !ink.isEmpty {
        extent.left = min(extent.left, Int(x) + Int(ink.left))
        extent.right = max(extent.right, Int(x) + Int(ink.right))
        text.metrics.ascent = max(text.metrics.ascent, Int(y) + Int(ink.top))
        text.metrics.descent = max(text.metrics.descent, -(Int(y) + Int(ink.bottom)))
      }
      extent.advance += Int(glyph.advance.scaled(scale))
    }
    extent.right = max(extent.right, extent.advance)
    text.clusters.append(
      Cluster(
        extent: extent, firstGlyph: Int32(first), glyphCount: Int32(placed.count),
        character: Int32(truncatingIfNeeded: character), level: level))
  }

  private mutating func look(_ face: Face, _ style: TextStyle) -> UInt16 {
    let factor = style.scale.isFinite ? min(max(style.scale, 1 / 16), 16) : 1
    return text.place(of: Look(font: face.id, scale: Int32(factor * 65536), color: style.color, mark: style.mark))
  }

  /// Adds the hyphen shown at soft hyphens, in the message's first style.
  private mutating func addHyphen(_ style: UInt16) {
    let hyphens = [0x2010, 0x2D].map { TextScalar(value: $0, character: 0, piece: .letter, style: style) }
    for hyphen in hyphens {
      let paragraph = PreparedParagraph(MessageReader.Paragraph(scalars: [hyphen]), breaks: [false])
      guard let item = itemizer.items(of: paragraph, styles: reader.styles).first,
        item.face.glyph(for: Unicode.Scalar(hyphen.value) ?? "-") != nil
      else { continue }
      let manner = ShapingBuffer.Parameters(script: item.script, isRightToLeft: false, language: nil, features: [])
      let placed = tools.buffer.shape(item.places, of: paragraph.codePoints, face: item.face, manner)
      let look = look(item.face, reader.styles[Int(style)])
      appendGlyphs(placed[...], item.face, look, character: 0, level: 0)
      text.hyphen = text.clusters.count - 1
      return
    }
  }

  private mutating func noteMissing(_ paragraph: PreparedParagraph, _ place: Int, _ face: Face) {
    let character = paragraph.scalars[place].character
    for scalar in paragraph.scalars[place...].prefix(while: { $0.character == character }) {
      guard let scalar = Unicode.Scalar(scalar.value), FontBook.needsGlyph(scalar), face.glyph(for: scalar) == nil,
        !text.missing.contains(scalar), text.missing.count < 64
      else { continue }
      text.missing.append(scalar)
    }
  }
}

extension FontMetrics {
  /// Grows to include the metrics of another font.
  mutating func include(_ other: FontMetrics) {
    ascent = max(ascent, other.ascent)
    descent = max(descent, other.descent)
    gap = max(gap, other.gap)
  }

  fileprivate func scaled(_ scale: Int32) -> FontMetrics {
    FontMetrics(
      ascent: (ascent * Int(scale)) >> 16, descent: (descent * Int(scale)) >> 16, gap: (gap * Int(scale)) >> 16)
  }
}

extension Int32 {
  /// Returns the length scaled by a factor in 65536ths.
  fileprivate func scaled(_ scale: Int32) -> Int32 {
    scale == 65536 ? self : Int32(truncatingIfNeeded: (Int(self) * Int(scale)) >> 16)
  }
}

extension GlyphInk {
  fileprivate func scaled(_ scale: Int32) -> GlyphInk {
    if scale == 65536 || isEmpty { return self }
    return GlyphInk(
      left: left.scaled(scale), right: right.scaled(scale) &+ 1, top: top.scaled(scale) &+ 1,
      bottom: bottom.scaled(scale))
  }
}
