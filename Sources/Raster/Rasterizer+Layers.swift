import Geometry
import Layout
import Pictures
import Typesetting

/// What is drawn in a part of a frame: layers on a plain ground, in order.
struct LayerStack {
  var ground: Color
  var layers: [Layer] = []

  /// With everything drawn that lies in this part of the picture.
  func drawn(in part: Rect) -> LayerStack {
    LayerStack(ground: ground, layers: layers.map { $0.drawn(in: part) })
  }
}

extension Rasterizer {
  /// What is drawn of a list in a part of the frame.
  func layers(_ list: DisplayList, _ part: Rect, _ materials: Materials) -> LayerStack {
    let part = place(of: part)
    var grounds = Grounds(list.background)
    // What a fill covers altogether is not drawn at all.
    let base = list.items.lastIndex { $0.isPlain(in: part) }
    var stack = LayerStack(ground: list.background)
    for (index, item) in list.items.enumerated() {
      let ground = grounds.color(behind: item)
      grounds.add(item)
      if index == base, case .fill(let fill) = item { stack.ground = fill.color }
      guard index > base ?? -1, !item.ink.intersection(part).isEmpty else { continue }
      switch item {
      case .text(let item): stack.layers += layers(item, on: ground, part, materials.typesetter)
      case .fill(let item): stack.layers += layers(item, on: ground, part)
      case .gradient(let item): stack.layers.append(Layer(clip: item.ink, content: .gradient(item)))
      case .picture(let item): stack.layers += layers(item, materials.pictures)
      }
    }
    return stack
  }

  private func layers(_ item: TextItem, on ground: Color, _ part: Rect, _ typesetter: Typesetter) -> [Layer] {
    var builder = LayerBuilder(clip: item.ink, on: ground)
    for placed in item.run.glyphs {
      let (glyph, bounds) = drawn(placed, item.run, typesetter)
      guard !bounds.intersection(part).isEmpty else { continue }
      builder.add(glyph, x: Int(placed.x >> 6), y: Int(placed.y >> 6), color: item.color)
    }
    return builder.finish()
  }

  private func layers(_ item: FillItem, on ground: Color, _ part: Rect) -> [Layer] {
    let shape = RoundedFill(item)
    let middles = shape.middles.map { Layer(clip: $0.intersection(item.ink), content: .fill(item.color)) }
    let corners = shape.corners(in: part.intersection(item.ink))
    if corners.isEmpty { return middles }
    return middles + [Layer(clip: item.ink, content: .spans(Ink(color: item.color), corners, ground: ground))]
  }

  /// The whole display is the window, so that a part of it finds the pixels that another part left. A file that is gone
  /// since it was laid out shows what is behind it: the layout that follows will say so.
  private func layers(_ item: PictureItem, _ shelf: PictureShelf) -> [Layer] {
    let window = item.window(on: pictureSize)
    guard let bitmap = try? shelf.bitmap(of: item.picture, at: item.frame.size, window: window) else { return [] }
    let placement = PicturePlacement(bitmap: bitmap, image: nil, x: item.frame.x, y: item.frame.y)
    return [Layer(clip: item.ink, content: .pictures([placement]))]
  }

  /// A glyph and where it is in the picture.
  func drawn(_ placed: PlacedGlyph, _ run: GlyphRun, _ typesetter: Typesetter) -> (DrawnGlyph, Rect) {
    let glyph = cache.glyph(of: placed, in: run, with: typesetter)
    let bounds = glyph.bounds
    let (x, y) = (Int(placed.x >> 6) &+ bounds.x, Int(placed.y >> 6) &+ bounds.y)
    return (glyph, Rect(x: x, y: y, width: bounds.width, height: bounds.height))
  }
}

extension DisplayItem {
  /// Whether it is one colour wherever this part of the picture is.
  fileprivate func isPlain(in part: Rect) -> Bool {
    guard case .fill(let fill) = self, fill.clip?.contains(part) ?? true else { return false }
    return RoundedFill(fill).middles.contains { $0.contains(part) }
  }
}
