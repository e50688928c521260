public import Geometry

/// What a layout has to know of a display.
public struct DisplayMetrics: Hashable, Sendable {
  /// The pixels of its mode.
  public var pixels: Size
  /// Device pixels for each logical one, in each direction: 2 on a 4K class mode, else 1.
  public var scale: Int

  /// Metrics of a mode.
  public init(pixels: Size, scale: Int = 1) {
    self.pixels = pixels
    self.scale = scale
  }
}
