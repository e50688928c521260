import CHarfBuzz

/// Reads a message Character by Character and shapes it word by word, each word once.
struct MessageShaper {
  private let book: FontBook
  private let buffer: ShapingBuffer
  private let main: Face
  private let request: String?

  private(set) var text: ShapedText
  private var word: [TextScalar] = []
  private var runs: [Run] = []
  private var firstCluster = 0
  private var gap = 0
  private var newlines = 0

  /// Part of a word that one font draws in one script. Its direction is the script's own: an order of runs across a
  /// line (bidi) would rearrange runs of this kind.
  private struct Run {
    var face: Face
    var script: hb_script_t
    var start: Int
  }

  /// More marks than any script stacks on one letter (UAX #15: 30 non-starters).
  private static let longestCharacter = 32
  /// Shape in parts what is longer than any word: HarfBuzz takes more than linear time.
  private static let longestPart = 1024
  /// More than any display can show: it bounds memory where letters have no width.
  private static let mostClusters = 1 << 17

  init(book: FontBook, buffer: ShapingBuffer, main: Face, request: String?) {
    self.book = book
    self.buffer = buffer
    self.main = main
    self.request = request
    text = ShapedText(metrics: main.metrics)
  }

  /// Shapes until the message ends, or until `probe`, which fills lines at the smallest size, says that nothing more
  /// could be shown.
  mutating func shape(_ message: String, probe: inout LineFiller) -> ShapedText {
    var index: UInt32 = 0
    for character in message {
      read(character, index)
      index &+= 1
      if isFull(&probe) { break }
    }
    endWord()
    text.isComplete = !isFull(&probe)
    return text
  }

  private func isFull(_ probe: inout LineFiller) -> Bool {
    while probe.placedWords < text.words.count, !probe.isFull { probe.place(probe.placedWords, of: text) }
    return probe.isFull || text.clusters.count >= MessageShaper.mostClusters
  }

  private mutating func read(_ character: Character, _ index: UInt32) {
    switch TextPiece(character) {
    case .letter:
      add(character, index)
      if word.count >= MessageShaper.longestPart { shapeWord() }
    case .space:
      endWord()
      gap += width(ofSpace: character)
    case .newline:
      endWord()
      newlines += 1
    case .nothing: break
    }
  }

  private mutating func add(_ character: Character, _ index: UInt32) {
    let face = face(for: character)
    let script = character.unicodeScalars.lazy.compactMap(realScript).first
    if let last = runs.indices.last, runs[last].face === face, joins(script, to: last) {
      if let script { runs[last].script = script }
    } else {
      runs.append(Run(face: face, script: script ?? HB_SCRIPT_COMMON, start: word.count))
    }
    for (place, scalar) in character.unicodeScalars.enumerated() {
      guard place < MessageShaper.longestCharacter else {
        text.overlongCharacters += 1
        break
      }
      word.append(TextScalar(value: scalar.value, character: index))
    }
  }

  private func joins(_ script: hb_script_t?, to run: Int) -> Bool {
    script == nil || runs[run].script == HB_SCRIPT_COMMON || runs[run].script == script
  }

  /// The script of a code point, nil for what goes with any script.
  private func realScript(_ scalar: Unicode.Scalar) -> hb_script_t? {
    if scalar.isASCII { return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) ? HB_SCRIPT_LATIN : nil }
    let script = unsafe hb_unicode_script(hb_unicode_funcs_get_default(), scalar.value)
    return [HB_SCRIPT_COMMON, HB_SCRIPT_INHERITED, HB_SCRIPT_UNKNOWN].contains(script) ? nil : script
  }

  private func face(for character: Character) -> Face {
    let covered = character.unicodeScalars.allSatisfy { main.glyph(for: $0) != nil || !FontBook.needsGlyph($0) }
    return covered ? main : book.fallback(for: character, like: request) ?? main
  }

  private func width(ofSpace character: Character) -> Int {
    let scalar = character == "\t" ? " " : character.unicodeScalars[character.unicodeScalars.startIndex]
    guard let glyph = main.glyph(for: scalar) ?? main.glyph(for: " ") else { return Em.units / 4 }
    return main.advance(of: glyph)
  }

  private mutating func endWord() {
    shapeWord()
    guard firstCluster < text.clusters.count else { return }
    let clusters = firstCluster..<text.clusters.count
    let extent = text.clusters[clusters].reduce(Extent()) { $0.followed(by: $1.extent) }
    // Line ends before the first letter would only push the message down.
    text.words.append(Word(clusters: clusters, extent: extent, gap: gap, newlines: text.words.isEmpty ? 0 : newlines))
    firstCluster = text.clusters.count
    gap = 0
    newlines = 0
  }

  private mutating func shapeWord() {
    for (place, run) in runs.enumerated() {
      let end = place + 1 < runs.count ? runs[place + 1].start : word.count
      let scalars = word[run.start..<end]
      append(buffer.shape(scalars, face: run.face, script: run.script), of: run.face, scalars)
    }
    word.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ placed: [ShapingBuffer.Placed], of face: Face, _ scalars: ArraySlice<TextScalar>) {
    var start = 0
    while start < placed.count {
      let end = placed[start...].firstIndex { $0.character != placed[start].character } ?? placed.count
      appendCluster(placed[start..<end], of: face)
      if placed[start..<end].contains(where: { $0.glyph == 0 }) { noteMissing(placed[start].character, face, scalars) }
      start = end
    }
    text.metrics.include(face.metrics)
  }

  private mutating func appendCluster(_ placed: ArraySlice<ShapingBuffer.Placed>, of face: Face) {
    var extent = Extent()
    let first = text.glyphs.count
    for glyph in placed {
      let ink = face.ink(of: glyph.glyph)
      let x = Int32(truncatingIfNeeded: extent.advance) &+ glyph.x
      text.glyphs.append(ShapedGlyph(id: glyph.glyph, font: face.id, x: x, y: glyph.y, ink: ink))
      if !ink.isEmpty {
        extent.left = min(extent.left, Int(x) + Int(ink.left))
        extent.right = max(extent.right, Int(x) + Int(ink.right))
        text.metrics.ascent = max(text.metrics.ascent, Int(glyph.y) + Int(ink.top))
        text.metrics.descent = max(text.metrics.descent, -(Int(glyph.y) + Int(ink.bottom)))
      }
      extent.advance += Int(glyph.advance)
    }
    extent.right = max(extent.right, extent.advance)
    text.clusters.append(
      Cluster(
        extent: extent, firstGlyph: Int32(first), glyphCount: Int32(placed.count),
        character: Int32(truncatingIfNeeded: placed[placed.startIndex].character)))
  }

  private mutating func noteMissing(_ character: UInt32, _ face: Face, _ scalars: ArraySlice<TextScalar>) {
    for scalar in scalars where scalar.character == character {
      guard let scalar = Unicode.Scalar(scalar.value), FontBook.needsGlyph(scalar), face.glyph(for: scalar) == nil,
        !text.missing.contains(scalar), text.missing.count < 64
      else { continue }
      text.missing.append(scalar)
    }
  }
}

extension FontMetrics {
  /// Grows to hold lines of the other font too.
  mutating func include(_ other: FontMetrics) {
    ascent = max(ascent, other.ascent)
    descent = max(descent, other.descent)
    gap = max(gap, other.gap)
  }
}
