/// A pixel format.
package enum PixelFormat: Hashable, Sendable {
  /// A 32-bit format: unused, red, green and blue from the high byte down, little-endian.
  case xrgb8888
  /// A 16-bit format: 5 bits red, 6 bits green and 5 bits blue from the high bit down, little-endian.
  case rgb565

  /// The number of bytes per pixel.
  package var bytesPerPixel: Int { self == .xrgb8888 ? 4 : 2 }
}
