public import Geometry
public import Pictures
public import Typesetting

/// One thing that is drawn on those before it. All rectangles count in pixels of the display.
public enum DisplayItem: Hashable, Sendable {
  /// Glyphs of one line.
  case text(TextItem)
  /// A plain colour.
  case fill(FillItem)
  /// One colour that becomes another.
  case gradient(GradientItem)
  /// A picture from a file.
  case picture(PictureItem)

  /// Where it draws: nothing is drawn outside of it.
  public var ink: Rect {
    switch self {
    case .text(let item): item.ink
    case .fill(let item): item.ink
    case .gradient(let item): item.ink
    case .picture(let item): item.ink
    }
  }

  /// The glyphs, where it is text.
  public var text: TextItem? {
    if case .text(let item) = self { item } else { nil }
  }
}

/// Glyphs of one line, font and colour. `run.ink` holds all their ink.
public struct TextItem: Hashable, Sendable {
  /// The glyphs and their places on the display.
  public var run: GlyphRun
  /// Their colour.
  public var color: Color
  /// What cuts them; nil for nothing.
  public var clip: Rect?

  /// An item from its parts.
  public init(run: GlyphRun, color: Color, clip: Rect? = nil) {
    self.run = run
    self.color = color
    self.clip = clip
  }

  /// Where it draws.
  public var ink: Rect { run.ink.cut(by: clip) }
}

/// A rectangle of one colour.
public struct FillItem: Hashable, Sendable {
  /// Its edges.
  public var rect: Rect
  /// Its colour.
  public var color: Color
  /// The radius of its corners in pixels, at most half of its short side; 0 for square ones.
  public var cornerRadius: Int
  /// What cuts it; nil for nothing.
  public var clip: Rect?

  /// An item from its parts.
  public init(rect: Rect, color: Color, cornerRadius: Int = 0, clip: Rect? = nil) {
    self.rect = rect
    self.color = color
    self.cornerRadius = cornerRadius
    self.clip = clip
  }

  /// Where it draws.
  public var ink: Rect { rect.cut(by: clip) }
}

/// A rectangle whose first row or column has one colour and whose last one another. Between them the channels' values
/// change evenly, as those of a test pattern do: not their light.
public struct GradientItem: Hashable, Sendable {
  /// The way from one colour to the other.
  public enum Axis: Hashable, Sendable {
    /// From the left to the right.
    case horizontal
    /// From the top to the bottom.
    case vertical
  }

  /// Its edges.
  public var rect: Rect
  /// The colour of the first row or column.
  public var from: Color
  /// The colour of the last row or column.
  public var to: Color
  /// Which way it goes.
  public var axis: Axis
  /// What cuts it; nil for nothing.
  public var clip: Rect?

  /// An item from its parts.
  public init(rect: Rect, from: Color, to: Color, axis: Axis, clip: Rect? = nil) {
    self.rect = rect
    self.from = from
    self.to = to
    self.axis = axis
    self.clip = clip
  }

  /// Where it draws.
  public var ink: Rect { rect.cut(by: clip) }
}

/// A picture from a file, scaled.
public struct PictureItem: Hashable, Sendable {
  /// The picture, as the shelf that loaded it names it.
  public var picture: PictureID
  /// Where the whole picture goes. Its proportions are the layout's business.
  public var frame: Rect
  /// What cuts it; nil for nothing.
  public var clip: Rect?

  /// An item from its parts.
  public init(picture: PictureID, frame: Rect, clip: Rect? = nil) {
    self.picture = picture
    self.frame = frame
    self.clip = clip
  }

  /// Where it draws.
  public var ink: Rect { frame.cut(by: clip) }

  /// What is seen of it on a display of this size, from the left top corner of the whole picture.
  public func window(on display: Size) -> Rect {
    let seen = ink.intersection(Rect(display))
    return Rect(x: seen.x &- frame.x, y: seen.y &- frame.y, width: seen.width, height: seen.height)
  }
}

extension Rect {
  fileprivate func cut(by clip: Rect?) -> Rect { clip.map(intersection) ?? (isEmpty ? .empty : self) }
}
