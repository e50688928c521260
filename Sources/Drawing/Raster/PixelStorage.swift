import Geometry

/// A pixel in its memory format.
protocol PixelStorage: FixedWidthInteger & UnsignedInteger {
  init(_ color: Color)
  /// Converts an opaque pixel of a bitmap, with red, green, and blue in the third to the lowest byte.
  init(opaque: UInt32)
  /// Converts fractional components of 0...255 each, rounding up what lies above the threshold, 0...1.
  init(rounding values: SIMD3<Float>, threshold: Float)
  /// The number of adjacent lines that differ in a gradient.
  static var gradientLines: Int { get }
  /// The color, with 8 bits per channel.
  var color: Color { get }
}

extension UInt32: PixelStorage {
  init(_ color: Color) { self = color.xrgb8888.littleEndian }

  init(opaque value: UInt32) { self = (value | 0xFF00_0000).littleEndian }

  /// Rounds to the nearest value and ignores the threshold, because steps of 1/255 are invisible.
  init(rounding values: SIMD3<Float>, threshold: Float) {
    let whole = SIMD3<UInt8>(values.rounded(.toNearestOrAwayFromZero))
    self.init(Color(red: whole.x, green: whole.y, blue: whole.z))
  }

  static var gradientLines: Int { 1 }

  var color: Color {
    let value = littleEndian
    return Color(
      red: UInt8(truncatingIfNeeded: value &>> 16), green: UInt8(truncatingIfNeeded: value &>> 8),
      blue: UInt8(truncatingIfNeeded: value))
  }
}

extension UInt16: PixelStorage {
  init(_ color: Color) {
    let value = UInt16(color.red &>> 3) &<< 11 | UInt16(color.green &>> 2) &<< 5 | UInt16(color.blue &>> 3)
    self = value.littleEndian
  }

  init(opaque value: UInt32) {
    let value = (value &>> 8 & 0xF800) | (value &>> 5 & 0x07E0) | (value &>> 3 & 0x001F)
    self = UInt16(truncatingIfNeeded: value).littleEndian
  }

  init(rounding values: SIMD3<Float>, threshold: Float) {
    let steps = values / 255 * SIMD3(31, 63, 31)
    let whole = SIMD3<UInt16>((steps + (1 - threshold)).rounded(.down))
    self = (whole.x &<< 11 | whole.y &<< 5 | whole.z).littleEndian
  }

  static var gradientLines: Int { 4 }

  var color: Color {
    let value = littleEndian
    let (red, green, blue) = (value &>> 11, value &>> 5 & 0x3F, value & 0x1F)
    return Color(
      red: UInt8(truncatingIfNeeded: red &<< 3 | red &>> 2),
      green: UInt8(truncatingIfNeeded: green &<< 2 | green &>> 4),
      blue: UInt8(truncatingIfNeeded: blue &<< 3 | blue &>> 2))
  }
}
