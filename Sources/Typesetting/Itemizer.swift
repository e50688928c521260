import CHarfBuzz

/// Cuts a paragraph into items: parts of one style, font, script and direction, which are shaped at once.
struct Itemizer {
  let book: FontBook
  /// The language of Han characters in this message, which look differently in each.
  let hanLanguage: String?

  /// A part of a paragraph.
  struct Item {
    var places: Range<Int>
    var face: Face
    var script: hb_script_t
    var level: UInt8
    var style: UInt16
  }

  /// The items of a paragraph, in the order of reading.
  func items(of paragraph: ReadyParagraph, styles: [TextStyle]) -> [Item] {
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
    _ paragraph: ReadyParagraph, _ places: Range<Int>, _ main: Face, _ style: TextStyle, _ last: Item?
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

  /// The language to shape an item for, where it is known.
  func language(of item: Item, _ style: TextStyle) -> String? {
    style.language ?? (item.script == HB_SCRIPT_HAN ? hanLanguage : nil)
  }

  private func mainFace(_ style: TextStyle) -> Face? {
    let request = FontBook.request(for: style)
    return (try? book.font(for: request))?.face ?? (try? book.font(for: nil))?.face
  }

  /// A gap stays with what is before it: an item that goes on over gaps is shaped as a whole.
  private func gapFace(_ last: Face?, _ main: Face, _ scalars: [Unicode.Scalar]) -> Face {
    last.map { last in scalars.allSatisfy { last.glyph(for: $0) != nil } ? last : main } ?? main
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

  /// The script of a code point, nil for what goes with any script.
  private static func realScript(_ scalar: Unicode.Scalar) -> hb_script_t? {
    if scalar.isASCII { return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) ? HB_SCRIPT_LATIN : nil }
    let script = unsafe hb_unicode_script(hb_unicode_funcs_get_default(), scalar.value)
    return [HB_SCRIPT_COMMON, HB_SCRIPT_INHERITED, HB_SCRIPT_UNKNOWN].contains(script) ? nil : script
  }

  /// Whether a Character is to be shown as emoji, by UTS #51: it is one by itself, a variation selector or a skin tone
  /// makes it one, and no selector makes it text.
  static func isEmoji(_ scalars: [Unicode.Scalar]) -> Bool {
    guard let first = scalars.first, scalars.count > 1 || first.value > 0x2000 else { return false }
    guard first.properties.isEmoji, !scalars.contains("\u{FE0E}") else { return false }
    return first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}")
      || scalars.dropFirst().contains { $0.properties.isEmojiModifier }
  }

  /// The language whose Han characters a message means, from the other scripts of its beginning.
  static func hanLanguage(of text: StyledText) -> String? {
    // Most messages have no byte as high as these scripts' first.
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
