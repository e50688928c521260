package import Geometry
package import Pictures
package import Typesetting

/// An item that is drawn over the items before it, with all rectangles in pixels of the display.
package enum DisplayItem: Hashable, Sendable {
  /// The glyphs of one line.
  case text(TextItem)
  /// A rectangle of one color.
  case fill(FillItem)
  /// A linear gradient between two colors.
  case gradient(GradientItem)
  /// An image from a file.
  case picture(ImageItem)

  /// The ink bounds: nothing is drawn outside of them.
  package var ink: Rect {
    switch self {
    case .text(let item): item.ink
    case .fill(let item): item.ink
    case .gradient(let item): item.ink
    case .picture(let item): item.ink
    }
  }

  /// The text item; nil for items of another kind.
  package var text: TextItem? {
    if case .text(let item) = self { item } else { nil }
  }
}

/// The glyphs of one line with their font and color; `run.ink` contains all of their ink.
package struct TextItem: Hashable, Sendable {
  /// The glyphs and their positions on the display.
  package var run: GlyphRun
  /// The text color.
  package var color: Color
  /// The clip rectangle; nil for none.
  package var clip: Rect?

  /// Creates an item from its parts.
  package init(run: GlyphRun, color: Color, clip: Rect? = nil) {
    self.run = run
    self.color = color
    self.clip = clip
  }

  /// The ink bounds.
  package var ink: Rect { run.ink.cut(by: clip) }
}

/// A rectangle of one color.
package struct FillItem: Hashable, Sendable {
  /// The rectangle's bounds.
  package var rect: Rect
  /// The fill color.
  package var color: Color
  /// The corner radius in pixels, at most half of the short side; 0 for square corners.
  package var cornerRadius: Int
  /// The clip rectangle; nil for none.
  package var clip: Rect?

  /// Creates an item from its parts.
  package init(rect: Rect, color: Color, cornerRadius: Int = 0, clip: Rect? = nil) {
    self.rect = rect
    self.color = color
    self.cornerRadius = cornerRadius
    self.clip = clip
  }

  /// The ink bounds.
  package var ink: Rect { rect.cut(by: clip) }
}

/// A rectangle with a linear gradient between the colors of its first and last rows or columns.
///
/// The interpolation is linear in the sRGB channel values, not in light, as is usual for test patterns.
package struct GradientItem: Hashable, Sendable {
  /// The direction of a gradient.
  package enum Axis: Hashable, Sendable {
    /// From left to right.
    case horizontal
    /// From top to bottom.
    case vertical
  }

  /// The rectangle's bounds.
  package var rect: Rect
  /// The color of the first row or column.
  package var from: Color
  /// The color of the last row or column.
  package var to: Color
  /// The direction of the gradient.
  package var axis: Axis
  /// The clip rectangle; nil for none.
  package var clip: Rect?

  /// Creates an item from its parts.
  package init(rect: Rect, from: Color, to: Color, axis: Axis, clip: Rect? = nil) {
    self.rect = rect
    self.from = from
    self.to = to
    self.axis = axis
    self.clip = clip
  }

  /// The ink bounds.
  package var ink: Rect { rect.cut(by: clip) }
}

/// A scaled image from a file.
package struct ImageItem: Hashable, Sendable {
  /// The image's ID in the cache that loaded it.
  package var picture: ImageID
  /// The bounds of the whole image; the layout preserves its aspect ratio where required.
  package var frame: Rect
  /// The clip rectangle; nil for none.
  package var clip: Rect?

  /// Creates an item from its parts.
  package init(picture: ImageID, frame: Rect, clip: Rect? = nil) {
    self.picture = picture
    self.frame = frame
    self.clip = clip
  }

  /// The ink bounds.
  package var ink: Rect { frame.cut(by: clip) }

  /// Returns the part of the image that is visible on a display.
  ///
  /// - Parameter display: The display's size in pixels.
  /// - Returns: The visible part in pixels, relative to the top left corner of the whole scaled image.
  package func window(on display: Size) -> Rect {
    let seen = ink.intersection(Rect(display))
    return Rect(x: seen.x &- frame.x, y: seen.y &- frame.y, width: seen.width, height: seen.height)
  }
}

extension Rect {
  fileprivate func cut(by clip: Rect?) -> Rect { clip.map(intersection) ?? (isEmpty ? .empty : self) }
}
