/// The lines of a message at one size.
struct FilledLines {
  private(set) var lines: [LineSetter.Line] = []

  init(_ fitter: TextFitter, _ fit: TextFitter.Fit) {
    var filler = fitter.filler(fit, records: true)
    for word in fitter.text.words.indices where !filler.isFull { filler.place(word, of: fitter.text) }
    let count = fitter.text.words.isEmpty ? 0 : min(filler.line + 1, fitter.mostLines(at: fit.size))
    lines = Array(repeating: LineSetter.Line(), count: count)
    for segment in filler.segments where segment.line < count {
      lines[segment.line].add(segment, of: fitter.text)
    }
    for (line, extent) in filler.extents where line < count { lines[line].extent = extent }
  }

  /// Puts an ellipsis at the end of the last line, and takes away what it needs. Returns how many Characters of the
  /// message are before it.
  mutating func cut(_ text: inout ShapedText, ellipsis: ShapedText, limit: Int) -> Int {
    guard let last = lines.indices.last, let dots = ellipsis.words.first else { return 0 }
    var line = lines[last]
    while line.extent.followed(by: dots.extent).width > limit, !line.clusters.isEmpty { line.removeLast(text) }
    guard line.extent.followed(by: dots.extent).width <= limit else {
      lines = []
      return 0
    }
    lines[last] = line
    let lastShown = lines.reversed().lazy.compactMap(\.clusters.last).first
    let shown = lastShown.map { Int(text.character(after: $0.index)) } ?? 0
    lines[last].append(ellipsis, to: &text)
    return shown
  }
}

extension LineSetter.Line {
  mutating func add(_ segment: LineFiller.Segment, of text: ShapedText) {
    var pen = segment.pen
    for cluster in segment.clusters {
      clusters.append((cluster, pen))
      pen += text.clusters[cluster].extent.advance
    }
  }

  fileprivate mutating func removeLast(_ text: ShapedText) {
    clusters.removeLast()
    extent = Extent()
    for (index, pen) in clusters {
      extent = extent.followed(by: text.clusters[index].extent, gap: pen - extent.advance)
    }
  }

  fileprivate mutating func append(_ other: ShapedText, to text: inout ShapedText) {
    for cluster in other.clusters {
      var copy = cluster
      copy.firstGlyph = Int32(text.glyphs.count)
      text.glyphs.append(contentsOf: other.glyphs[cluster.glyphs])
      text.clusters.append(copy)
      clusters.append((text.clusters.count - 1, extent.advance))
      extent = extent.followed(by: copy.extent)
    }
  }
}

extension ShapedText {
  /// The number of Characters up to the end of a cluster.
  fileprivate func character(after cluster: Int) -> Int32 {
    clusters.indices.contains(cluster + 1) ? clusters[cluster + 1].character : clusters[cluster].character + 1
  }
}
