package import Geometry

/// The properties of a display that its layout depends on.
package struct DisplayMetrics: Hashable, Sendable {
  /// The size of its mode in pixels.
  package var pixels: Size
  /// The number of device pixels per logical pixel, in each direction: 2 for modes of the 4K class, otherwise 1.
  package var scale: Int

  /// Creates the metrics of a mode.
  package init(pixels: Size, scale: Int = 1) {
    self.pixels = pixels
    self.scale = scale
  }
}
