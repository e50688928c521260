/// How a pixel is stored.
public enum PixelFormat: Hashable, Sendable {
  /// 32 bits: unused, red, green, blue from the high byte down; little endian.
  case xrgb8888
  /// 16 bits: 5 red, 6 green, 5 blue; little endian.
  case rgb565

  /// Bytes a pixel.
  public var bytesPerPixel: Int { self == .xrgb8888 ? 4 : 2 }
}
