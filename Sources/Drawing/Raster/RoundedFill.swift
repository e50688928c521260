import Geometry
import Layout
import Typesetting

/// A fill with rounded corners: three plain rectangles, and four quarter discs drawn as spans like glyphs.
struct RoundedFill {
  private let rect: Rect
  private let radius: Int

  init(_ item: FillItem) {
    rect = item.rect
    radius = max(0, min(item.cornerRadius, rect.width / 2, rect.height / 2, RoundedFill.mostRadius))
  }

  /// The radius limit, more than any display needs: spans count columns in 16 bits.
  private static let mostRadius = 1 << 14

  /// The fully covered rectangles between the corners.
  var middles: [Rect] {
    let width = rect.width - 2 * radius
    return [
      Rect(x: rect.x + radius, y: rect.y, width: width, height: radius),
      Rect(x: rect.x, y: rect.y + radius, width: rect.width, height: rect.height - 2 * radius),
      Rect(x: rect.x + radius, y: rect.bottom - radius, width: width, height: radius),
    ].filter { !$0.isEmpty }
  }

  /// Returns the corners that intersect a part of the layout.
  func corners(in part: Rect) -> [Placement] {
    guard radius > 0 else { return [] }
    let (right, bottom) = (rect.right - radius, rect.bottom - radius)
    let places = [
      (rect.x, rect.y, false, false), (right, rect.y, true, false), (rect.x, bottom, false, true),
      (right, bottom, true, true),
    ]
    return places.compactMap { x, y, isRight, isBottom in
      let bounds = Rect(x: x, y: y, width: radius, height: radius)
      guard !bounds.intersection(part).isEmpty else { return nil }
      return Placement(spans: corner(isRight: isRight, isBottom: isBottom), x: x, y: y)
    }
  }

  private func corner(isRight: Bool, isBottom: Bool) -> GlyphSpans {
    var (edges, solids): ([EdgePixel], [SolidRun]) = ([], [])
    var rows = [GlyphSpans.RowStart(edge: 0, solid: 0)]
    for y in 0..<radius {
      let (first, covered) = row(isBottom ? radius - 1 - y : y)
      let solid = first + covered.count
      let marks = covered.enumerated().filter { $0.element > 0 }.map { index, coverage in
        EdgePixel(x: Int16(isRight ? radius - 1 - first - index : first + index), coverage: coverage)
      }
      edges += isRight ? marks.reversed() : marks
      if solid < radius { solids.append(SolidRun(x: Int16(isRight ? 0 : solid), length: UInt16(radius - solid))) }
      rows.append(GlyphSpans.RowStart(edge: Int32(edges.count), solid: Int32(solids.count)))
    }
    return GlyphSpans(bounds: Rect(Size(radius, radius)), rows: rows, edges: edges, solids: solids)
  }

  /// Computes a row of the top left corner by sampling the disc's edge at 16 heights.
  ///
  /// - Parameter y: The row, from the top.
  /// - Returns: The first column with any coverage, and the coverage from there to the first fully covered column.
  private func row(_ y: Int) -> (first: Int, covered: [UInt8]) {
    let steps = 16
    let edges = (0..<steps).map { step in
      let height = Double(radius - y) - (Double(step) + 0.5) / Double(steps)
      return Double(radius) - (Double(radius * radius) - height * height).squareRoot()
    }
    let first = Int(edges[steps - 1])
    let covered = (first...Int(edges[0])).map { column in
      let share = edges.reduce(0) { $0 + min(max(Double(column + 1) - $1, 0), 1) } / Double(steps)
      return UInt8(min(254, (share * 255).rounded()))
    }
    return (first, covered)
  }
}
