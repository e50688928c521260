import Geometry
import Scenes
import Typesetting

extension LayoutContext {
  /// A segment of a ticker's line, whose ink starts at x = 0 and whose baseline is at y = 0.
  private struct Piece {
    var runs: [GlyphRun]
    var width: Int
    /// The offset from the beginning of the line, in reading direction.
    var place: Int
  }

  /// Lays out a line that is centered vertically and extends over the full width; it starts inside of the safe area.
  mutating func layOut(_ ticker: Ticker) throws(TypesettingError) {
    guard safeArea.height > 0, size.width > 0, let line = try line(ticker.text) else { return }
    let top = safeArea.y + (safeArea.height - line.box.height) / 2 - line.box.y
    let ink = line.pieces.reduce(Rect.empty) { $1.runs.reduce($0) { $0.union($1.ink) } }
    let room = Rect(x: 0, y: safeArea.y, width: size.width, height: safeArea.height)
    let window = Rect(x: 0, y: top + ink.y, width: size.width, height: ink.height).intersection(room)
    guard !window.isEmpty, let last = line.pieces.last else { return }
    var strip = ScrollLayer(
      window: window, items: [], length: safeArea.x + last.place + last.width + line.gap,
      direction: line.isRightToLeft ? .right : .left, speed: speed(ticker.speed), ground: background)
    for piece in line.pieces {
      let place = safeArea.x + piece.place
      let x = line.isRightToLeft ? strip.length - place - piece.width : place
      strip.items += piece.runs.map { run in
        .text(TextItem(run: run.moved(x: x, y: top - window.y), color: run.color ?? style.foreground))
      }
    }
    self.strip = strip
    items += strip.items(from: strip.start(after: 0), in: window)
  }

  private struct Line {
    var pieces: [Piece]
    /// The line box, with its top relative to the baseline.
    var box: Rect
    var isRightToLeft: Bool
    /// The gap between the end and the next repetition.
    var gap: Int
  }

  /// Converts a speed from logical pixels to display pixels per second.
  private func speed(_ speed: Int) -> Int {
    let speed = min(max(speed, Ticker.speeds.lowerBound), Ticker.speeds.upperBound)
    return max(1, Int((Double(speed) * min(max(logicalPixel, 0), 16)).rounded()))
  }

  /// Sets the text in one line, in segments because the typesetter limits the width of a line; returns nil without ink.
  private mutating func line(_ text: String) throws(TypesettingError) -> Line? {
    let size64 = max(64, min(pixels64(LayoutRules.Ticker.size[breakpoint]), safeArea.height * 64 * 2 / 3))
    let em = size64 / 64
    var line: Line?
    var next = 0
    for paragraph in text.split(whereSeparator: \.isNewline) {
      let rules = FlowRules(width: LayoutRules.Ticker.piece, size: size64)
      let flowed = try materials.typesetter.flow(plain(String(paragraph)), by: rules)
      for warning in flowed.warnings { warn(warning) }
      for set in flowed.lines {
        let ink = set.runs.reduce(Rect.empty) { $0.union($1.ink) }
        if ink.isEmpty { continue }
        guard next + ink.width <= LayoutRules.Ticker.longest else {
          warn("the text is too long for one line; its end is cut off")
          return line
        }
        let runs = set.runs.map { $0.moved(x: -ink.x, y: -set.baseline) }
        let box = Rect(x: 0, y: set.top - set.baseline, width: 1, height: set.bottom - set.top)
        if line == nil {
          line = Line(pieces: [], box: box, isRightToLeft: set.isRightToLeft, gap: 2 * em)
        }
        line?.pieces.append(Piece(runs: runs, width: ink.width, place: next))
        next += ink.width + em / 4
      }
      // A wider gap separates what were different lines of the text.
      next += em
    }
    return line
  }
}
