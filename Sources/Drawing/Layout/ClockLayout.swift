import Geometry
import Scenes
import Typesetting

/// A time of day, with the words for the part of the day around its digits: `2:05 pm`, `午後2:05`.
private struct TimeWords {
  var before = ""
  var digits: String
  var after = ""

  /// Creates the time from its text.
  init(_ text: String) {
    let start = text.firstIndex(where: \.isNumber) ?? text.startIndex
    let end = text.lastIndex(where: \.isNumber).map(text.index(after:)) ?? text.endIndex
    digits = String(text[start..<end])
    before = text[..<start].map { $0 == " " ? "\u{A0}" : String($0) }.joined()
    after = text[end...].map { $0 == " " ? "\u{A0}" : String($0) }.joined()
  }
}

/// Digits in the largest size that fits; size and position are fitted to the widest digit, so that changes do not move
/// them.
private struct Figures {
  var text: FittedText
  /// The ink bounds of the widest digits, relative to the text's top, which the texts above and below are aligned to.
  var ink: Rect
}

extension LayoutContext {
  /// Lays out the caption, the time and the date, from top to bottom.
  mutating func layOut(_ face: ClockFace) throws(TypesettingError) {
    try layOut(TimeWords(face.time), above: [(face.caption.orNothing, quiet)], below: face.date.orNothing)
  }

  /// Lays out the title above the remaining time, with the days above the hours.
  mutating func layOut(_ face: CountdownFace) throws(TypesettingError) {
    let parts = face.remaining.split(separator: " ")
    let days = parts.dropLast().joined(separator: " ")
    try layOut(
      TimeWords(parts.last.map(String.init) ?? ""),
      above: [(face.title.orNothing, style.foreground), (days.isEmpty ? nil : days, style.accent)], below: nil)
  }

  private mutating func layOut(
    _ time: TimeWords, above: [(String?, Color)], below: String?
  ) throws(TypesettingError) {
    let area = area
    if Double(area.width) >= LayoutRules.Figures.lineAspect * Double(max(1, area.height)) {
      return try layOut(time.before + time.digits + time.after, line: above, below, in: area)
    }
    let box = Size(area.width, area.height / 4)
    var (head, foot) = (Stack(), Stack())
    for (words, color) in above {
      guard let words else { continue }
      head.add(try caption(words, box), color, gap: gap / 2)
    }
    if let below {
      foot.add(try caption(below, box), quiet)
    }
    let around = head.height + foot.height + (head.height > 0 ? gap : 0) + (foot.height > 0 ? gap * 4 / 3 : 0)
    let width = Int(Double(area.width) * LayoutRules.Figures.across[breakpoint])
    let figures = try figures(time, Size(width, max(0, area.height - around)))
    var y = area.y + (area.height - around - figures.ink.height) / 2
    head.draw(on: &self, x: area.x, y: y)
    y += head.height + (head.height > 0 ? gap : 0)
    draw(figures.text, x: area.x + (area.width - width) / 2, y: y - figures.ink.y)
    foot.draw(on: &self, x: area.x, y: y + figures.ink.height + gap * 4 / 3)
  }

  /// Returns a text above or below the digits, in one line, or in a narrow column in several.
  private func caption(_ words: String, _ box: Size) throws(TypesettingError) -> FittedText {
    let size = LayoutRules.Common.title[breakpoint]
    let line = try fit(plain(words), box, size, .center, mostLines: 1)
    let small = TextSize(size.largest, LayoutRules.smallestText)
    return line.isCut ? try fit(plain(words), box, small, .center, mostLines: 3) : line
  }

  /// Lays out all texts in one line, in a bar of the display.
  private mutating func layOut(
    _ time: String, line above: [(String?, Color)], _ below: String?, in area: Rect
  ) throws(TypesettingError) {
    var large = letters(weight: 700)
    large.features.insert(.tabularFigures)
    var runs: [StyledRun] = []
    for case (let words?, let color) in above {
      var style = letters()
      style.color = color
      runs.append(StyledRun(words + "\u{2003}", style: style))
    }
    runs.append(StyledRun(time, style: large))
    if let below {
      var style = letters()
      style.color = quiet
      runs.append(StyledRun("\u{2003}" + below, style: style))
    }
    let text = try fit(
      StyledText(runs), area.size, TextSize(4000, LayoutRules.smallestText), .center, mostLines: 1)
    draw(text, x: area.x, y: area.y + (area.height - text.size.height) / 2)
  }

  private func figures(_ time: TimeWords, _ box: Size) throws(TypesettingError) -> Figures {
    let widest = try widestFigure(like: time.digits.first ?? "0")
    var pattern = time
    pattern.digits = String(time.digits.map { $0.isNumber ? widest : $0 })
    // A one-digit hour is set in the same size as a two-digit hour.
    if time.digits.prefix(while: \.isNumber).count == 1 { pattern.digits = String(widest) + pattern.digits }
    // The line box may be taller than the available box: only the ink must fit.
    let tall = Size(box.width, box.height * 3 / 2)
    let any = TextSize(4000, LayoutRules.smallestText)
    let largest = try fit(figureText(pattern), tall, any, .center, mostLines: 1)
    let height =
      widest.isASCII ? largest.ink.height : try figureInk(pattern, tall, TextSize(units(largest.letterSize))).height
    let share = min(1, Double(box.height) / Double(max(1, height)))
    // Sizes are rounded down to quarters of a pixel.
    let size = TextSize(units(Int(Double(largest.letterSize) * share) & ~15))
    let ink = try figureInk(pattern, tall, size)
    return Figures(text: try fit(figureText(time), tall, size, .center, mostLines: 1), ink: ink)
  }

  /// Returns the bounds of all figures at the places of a pattern. Those of Latin script have the same height; others, such
  /// as those of Arabic script, do not.
  private func figureInk(_ pattern: TimeWords, _ box: Size, _ size: TextSize) throws(TypesettingError) -> Rect {
    var ink = try fit(figureText(pattern), box, size, .center, mostLines: 1).ink
    guard let figure = pattern.digits.first(where: \.isNumber), !figure.isASCII else { return ink }
    for other in figures(of: figure) {
      var text = pattern
      text.digits = String(pattern.digits.map { $0.isNumber ? other : $0 })
      ink = ink.union(try fit(figureText(text), box, size, .center, mostLines: 1).ink)
    }
    return ink
  }

  /// Returns the ten digits of the script of a digit.
  private func figures(of digit: Character) -> [Character] {
    let zero = (digit.unicodeScalars.first?.value ?? 0x30) &- UInt32(digit.wholeNumberValue ?? 0)
    return (0..<10).compactMap { Unicode.Scalar(zero &+ $0) }.map(Character.init)
  }

  private func figureText(_ time: TimeWords) -> StyledText {
    var large = letters(weight: 700)
    large.features.insert(.tabularFigures)
    var small = large
    small.scale = LayoutRules.Figures.suffix
    small.color = quiet
    return StyledText(
      [
        StyledRun(time.before, style: small), StyledRun(time.digits, style: large), StyledRun(time.after, style: small),
      ].filter { !$0.text.isEmpty })
  }

  /// Returns the widest digit of the script of a digit.
  private func widestFigure(like digit: Character) throws(TypesettingError) -> Character {
    let all = figures(of: digit)
    let key = figureText(TimeWords(String(all)))
    if let widest = materials.widestFigures[key] { return widest }
    var best: (figure: Character, width: Int) = ("0", 0)
    for figure in all {
      let text = figureText(TimeWords(String(repeating: figure, count: 8)))
      let width = try materials.typesetter.flow(text, by: FlowRules(width: 16384, size: 64 * 64)).width
      if width > best.width { best = (figure, width) }
    }
    materials.widestFigures[key] = best.figure
    return best.figure
  }
}
