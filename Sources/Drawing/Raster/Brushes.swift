import Geometry

/// A layer stack converted to one pixel format.
struct Brushes<Pixel: PixelStorage> {
  enum Brush {
    case spans([Placement], BlendTable<Pixel>)
    case pictures([PicturePlacement])
    case fill(Pixel)
    case gradient(GradientTable<Pixel>)
  }

  let ground: Pixel
  /// The layers, each painted within its clip.
  private(set) var layers: [(clip: Rect, brush: Brush)] = []

  private struct Mixture: Hashable {
    var ink: Ink
    var ground: Color
  }

  private var tables: [Mixture: BlendTable<Pixel>] = [:]

  /// Creates brushes for a part of the layout.
  init(_ stack: LayerStack, in part: Rect) {
    ground = Pixel(stack.ground)
    for layer in stack.layers { layers.append((layer.clip, brush(for: layer, in: part.intersection(layer.clip)))) }
  }

  private mutating func brush(for layer: Layer, in part: Rect) -> Brush {
    switch layer.content {
    case .spans(let ink, let placements, let ground): .spans(placements, table(ink, on: ground))
    case .pictures(let pictures): .pictures(pictures)
    case .fill(let color): .fill(Pixel(color))
    case .gradient(let item): .gradient(GradientTable(item, in: part))
    }
  }

  /// Returns the table for an ink on a background, shared by all layers that use the pair.
  private mutating func table(_ ink: Ink, on ground: Color) -> BlendTable<Pixel> {
    let mixture = Mixture(ink: ink, ground: ground)
    if let table = tables[mixture] { return table }
    let table = BlendTable<Pixel>(ink, on: ground)
    tables[mixture] = table
    return table
  }
}
