import Geometry
package import Layout
import Pictures
import Typesetting

/// The content of a part of a frame: ordered layers on a plain background.
struct LayerStack {
  var ground: Color
  var layers: [Layer] = []

  /// Returns the stack with all pixels of this part of the layout drawn.
  func drawn(in part: Rect) -> LayerStack {
    LayerStack(ground: ground, layers: layers.map { $0.drawn(in: part) })
  }
}

extension Rasterizer {
  /// Draws the glyphs and images of a list into the caches, so that painting it takes less time.
  ///
  /// - Parameters:
  ///   - list: The display list.
  ///   - materials: The render resources with which the list was laid out.
  package func drawAhead(_ list: DisplayList, with materials: RenderResources) {
    let frame = Rect(pictureSize)
    for item in list.items where !item.ink.intersection(frame).isEmpty {
      switch item {
      case .text(let item): for placed in item.run.glyphs { _ = drawn(placed, item.run, materials.typesetter) }
      case .picture(let item): _ = layers(item, materials.pictures)
      case .fill, .gradient: break
      }
    }
  }

  /// Returns the layers of a list within a part of the frame.
  func layers(_ list: DisplayList, _ part: Rect, _ materials: RenderResources) -> LayerStack {
    let part = place(of: part)
    var grounds = Backgrounds(list.background)
    // Skip everything below the last fill that covers the whole part.
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

  /// Returns the layer of an image, or none if the image cannot be loaded.
  ///
  /// The window is the whole display, so that all parts share one cache entry. If the file has disappeared since
  /// layout, the content behind it shows, and the next layout reports the error.
  ///
  /// - Parameters:
  ///   - item: The image item.
  ///   - cache: The image cache.
  /// - Returns: At most one layer.
  private func layers(_ item: ImageItem, _ cache: ImageCache) -> [Layer] {
    let window = item.window(on: pictureSize)
    guard let bitmap = try? cache.bitmap(of: item.picture, at: item.frame.size, window: window) else { return [] }
    let placement = PicturePlacement(bitmap: bitmap, image: nil, x: item.frame.x, y: item.frame.y)
    return [Layer(clip: item.ink, content: .pictures([placement]))]
  }

  /// Returns a glyph and its bounds in layout coordinates.
  func drawn(_ placed: PlacedGlyph, _ run: GlyphRun, _ typesetter: Typesetter) -> (DrawnGlyph, Rect) {
    let glyph = cache.glyph(of: placed, in: run, with: typesetter)
    let bounds = glyph.bounds
    let (x, y) = (Int(placed.x >> 6) &+ bounds.x, Int(placed.y >> 6) &+ bounds.y)
    return (glyph, Rect(x: x, y: y, width: bounds.width, height: bounds.height))
  }
}

extension DisplayItem {
  /// Returns whether the item has one color everywhere within this part of the layout.
  fileprivate func isPlain(in part: Rect) -> Bool {
    guard case .fill(let fill) = self, fill.clip?.contains(part) ?? true else { return false }
    return RoundedFill(fill).middles.contains { $0.contains(part) }
  }
}
