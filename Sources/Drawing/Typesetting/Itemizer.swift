import CHarfBuzz

/// Splits a paragraph into items: parts of one style, font, script, and direction, which are shaped together.
struct Itemizer {
  let book: FontBook
  /// The language of the Han characters in this message, whose shapes differ by language.
  let hanLanguage: String?

  /// A part of a paragraph.
  struct Item {
    var places: Range<Int>
    var face: Face
    var script: hb_script_t
    var level: UInt8
    var style: UInt16
  }

  /// Returns the items of a paragraph, in reading order.
  func items(of paragraph: PreparedParagraph, styles: [TextStyle]) -> [Item] {
    var items: [Item] = []
    var main: (style: UInt16, face: Face)?
    for places in paragraph.characters {
      let first = paragraph.scalars[places.lowerBound]
      if main?.style != first.style { main = mainFace(styles[Int(first.style)]).map { (first.style, $0) } }
      guard let main else { continue }
      let level = paragraph.levels[places.lowerBound]
      let (face, script) = faceAndScript(paragraph, places, main.face, styles[Int(first.style)], items.last)
      if let last = items.indices.last, items[last].face === face, items[last].style == first.style,
        items[last].level == level, joins(script, items[last].script)
      {
        items[last].places = items[last].places.lowerBound..<places.upperBound
        if let script { items[last].script = script }
      } else {
        items.append(
          Item(places: places, face: face, script: script ?? HB_SCRIPT_COMMON, level: level, style: first.style))
      }
    }
    return items
  }

  private func faceAndScript(
    _ paragraph: PreparedParagraph, _ places: Range<Int>, _ main: Face, _ style: TextStyle, _ last: Item?
  ) -> (Face, hb_script_t?) {
    let first = paragraph.scalars[places.lowerBound]
    if places.count == 1, first.value < 0x80, last.map({ $0.face === main }) ?? true, main.hasASCII(first.value) {
      return (main, Unicode.Scalar(first.value).flatMap(Itemizer.realScript))
    }
    let scalars = paragraph.codePoints[places].compactMap(Unicode.Scalar.init)
    let staysWithLast = first.piece.isGap && last?.style == first.style
    let face = staysWithLast ? gapFace(last?.face, main, scalars) : face(for: scalars, main, style)
    return (face, scalars.lazy.compactMap(Itemizer.realScript).first)
  }

  /// Returns the language for shaping an item, or nil if it is unknown.
  func language(of item: Item, _ style: TextStyle) -> String? {
    style.language ?? (item.script == HB_SCRIPT_HAN ? hanLanguage : nil)
  }

  private func mainFace(_ style: TextStyle) -> Face? {
    let request = FontBook.request(for: style)
    return (try? book.font(for: request))?.face ?? (try? book.font(for: nil))?.face
  }

  /// Returns the preceding item's face if it has the gap's glyphs, so that text with gaps is shaped as one item.
  ///
  /// The space of an emoji font is as wide as an emoji, so the main face's is used after one.
  private func gapFace(_ last: Face?, _ main: Face, _ scalars: [Unicode.Scalar]) -> Face {
    guard let last, !last.hasColor, scalars.allSatisfy({ last.glyph(for: $0) != nil }) else { return main }
    return last
  }

  private func face(for scalars: [Unicode.Scalar], _ main: Face, _ style: TextStyle) -> Face {
    let isCovered = main.covers(scalars)
    if Itemizer.isEmoji(scalars) { return isCovered && main.hasColor ? main : book.emoji(for: scalars) ?? main }
    if isCovered { return main }
    let isHan = scalars.contains { Itemizer.realScript($0) == HB_SCRIPT_HAN }
    return book.fallback(
      for: scalars, like: FontBook.request(for: style), language: style.language ?? (isHan ? hanLanguage : nil))
      ?? main
  }

  private func joins(_ script: hb_script_t?, _ other: hb_script_t) -> Bool {
    script == nil || other == HB_SCRIPT_COMMON || other == script
  }

  /// Returns the script of a code point, or nil for one that combines with any script.
  private static func realScript(_ scalar: Unicode.Scalar) -> hb_script_t? {
    if scalar.isASCII { return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) ? HB_SCRIPT_LATIN : nil }
    let script = unsafe hb_unicode_script(hb_unicode_funcs_get_default(), scalar.value)
    return [HB_SCRIPT_COMMON, HB_SCRIPT_INHERITED, HB_SCRIPT_UNKNOWN].contains(script) ? nil : script
  }

  /// Returns whether a Character has emoji presentation (UTS #51).
  ///
  /// Emoji presentation is the default of its first code point, or is requested by a variation selector or a skin tone.
  /// A text variation selector overrides both.
  ///
  /// - Parameter scalars: The code points of the Character.
  /// - Returns: Whether to draw it as an emoji.
  static func isEmoji(_ scalars: [Unicode.Scalar]) -> Bool {
    guard let first = scalars.first, scalars.count > 1 || first.value > 0x2000 else { return false }
    guard first.properties.isEmoji, !scalars.contains("\u{FE0E}") else { return false }
    return first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}")
      || scalars.dropFirst().contains { $0.properties.isEmojiModifier }
  }

  /// Returns the language of the Han characters in a message, inferred from the other scripts at its beginning.
  static func hanLanguage(of text: StyledText) -> String? {
    // Fast path: most messages contain no byte as high as the first byte of these scripts.
    for run in text.runs where run.text.utf8.contains(where: { $0 >= 0xE1 }) {
      for scalar in run.text.unicodeScalars.prefix(4096) where scalar.value >= 0x1100 {
        switch scalar.value {
        case 0x3040...0x30FF, 0x31F0...0x31FF: return "ja"
        case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF: return "ko"
        case 0x3100...0x312F: return "zh-tw"
        default: continue
        }
      }
    }
    return nil
  }
}
