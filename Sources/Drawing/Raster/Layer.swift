import Geometry
import Layout
import Pictures
import Typesetting

/// A glyph to draw, with the pixel position of its origin.
struct Placement {
  var spans: GlyphSpans
  var x: Int
  var y: Int

  var bounds: Rect {
    Rect(
      x: x &+ spans.bounds.x, y: y &+ spans.bounds.y, width: spans.bounds.width, height: spans.bounds.height)
  }
}

/// A bitmap to draw, with the pixel position of its origin.
struct PicturePlacement {
  /// The pixels drawn so far.
  var bitmap: Bitmap
  /// The source of pixels for other parts; nil if `bitmap` is complete.
  var image: GlyphImage?
  var x: Int
  var y: Int

  var bounds: Rect {
    let bounds = bitmap.bounds
    return Rect(x: x &+ bounds.x, y: y &+ bounds.y, width: bounds.width, height: bounds.height)
  }

  /// Returns the placement with the pixels of this part of the layout drawn.
  func drawn(in part: Rect) -> PicturePlacement {
    guard let image else { return self }
    let window = Rect(x: part.x &- x, y: part.y &- y, width: part.width, height: part.height)
    return PicturePlacement(bitmap: image.bitmap(in: window), image: image, x: x, y: y)
  }
}

/// The drawing operation of one item, or of a part of it, on top of the preceding layers.
struct Layer {
  enum Content {
    /// Glyphs, or shapes with antialiased edges, in one ink on a mostly plain background.
    case spans(Ink, [Placement], ground: Color)
    case pictures([PicturePlacement])
    /// A fill of the whole clip.
    case fill(Color)
    case gradient(GradientItem)
  }

  var clip: Rect
  var content: Content

  /// Whether the layer contains images that are drawn only for the part being painted.
  var isDrawnByParts: Bool {
    if case .pictures(let pictures) = content { pictures.contains { $0.image != nil } } else { false }
  }

  /// Returns the layer with all pixels of this part of the layout drawn.
  func drawn(in part: Rect) -> Layer {
    guard case .pictures(let pictures) = content else { return self }
    return Layer(clip: clip, content: .pictures(pictures.map { $0.drawn(in: part) }))
  }
}

/// A builder that groups consecutive glyphs of one ink into layers.
struct LayerBuilder {
  private let clip: Rect
  private let ground: Color
  private(set) var layers: [Layer] = []
  private var ink: Ink?
  private var placements: [Placement] = []
  private var pictures: [PicturePlacement] = []

  init(clip: Rect, on ground: Color) {
    self.clip = clip
    self.ground = ground
  }

  mutating func add(_ glyph: DrawnGlyph, x: Int, y: Int, color textColor: Color) {
    switch glyph {
    case .spans(let spans): add(spans, x, y, Ink(color: textColor))
    case .layers(let layers):
      for layer in layers { add(layer.spans, x, y, Ink(color: layer.color ?? textColor, opacity: layer.opacity)) }
    case .bitmap(let bitmap): add(PicturePlacement(bitmap: bitmap, image: nil, x: x, y: y))
    case .image(let image): add(PicturePlacement(bitmap: .empty, image: image, x: x, y: y))
    }
  }

  /// Ends the last layer and returns all layers.
  mutating func finish() -> [Layer] {
    endLayer()
    return layers
  }

  private mutating func add(_ spans: GlyphSpans, _ x: Int, _ y: Int, _ ink: Ink) {
    if self.ink != ink || !pictures.isEmpty { endLayer() }
    self.ink = ink
    placements.append(Placement(spans: spans, x: x, y: y))
  }

  private mutating func add(_ picture: PicturePlacement) {
    if !placements.isEmpty { endLayer() }
    pictures.append(picture)
  }

  private mutating func endLayer() {
    if let ink, !placements.isEmpty {
      layers.append(Layer(clip: clip, content: .spans(ink, placements, ground: ground)))
    }
    if !pictures.isEmpty { layers.append(Layer(clip: clip, content: .pictures(pictures))) }
    placements = []
    pictures = []
  }
}
