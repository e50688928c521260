/// An image that covers the whole display.
package struct ImagePanel: Hashable, Sendable {
  /// The absolute path of a PNG or JPEG file on the daemon's host.
  package var path: String
  /// The scaling of the image.
  package var fit: Fit

  /// The ways to scale an image to a display with another aspect ratio.
  package enum Fit: String, Hashable, Sendable, CaseIterable {
    /// Shows the whole image, with the background at two edges.
    case fit
    /// Covers the whole display, with two edges of the image cropped.
    case fill
    /// Shows the whole image on the whole display, distorted.
    case stretch
  }

  /// Creates a panel for an image file.
  package init(path: String, fit: Fit = .fit) {
    self.path = path
    self.fit = fit
  }
}

/// A text as a QR code.
package struct QRPanel: Hashable, Sendable {
  /// The text that is encoded.
  package var text: String
  /// The readable text beside the code; nil for none.
  package var caption: String?

  /// Creates a QR code of a text.
  package init(text: String, caption: String? = nil) {
    self.text = text
    self.caption = caption
  }
}

/// Test patterns for adjusting a display.
package enum TestPattern: String, Hashable, Sendable, CaseIterable {
  /// Bars of the eight fully saturated colors.
  case bars
  /// A grid with the center, the edges and the safe area, and the size in pixels.
  case grid
  /// Gradients from black to white and to each primary color.
  case gradient
}
