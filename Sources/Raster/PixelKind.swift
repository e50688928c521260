import Geometry

/// A pixel as it lies in memory.
protocol PixelKind: FixedWidthInteger & UnsignedInteger {
  init(_ color: Color)
  /// A pixel of a picture that lets nothing through: red, green and blue from the third byte down.
  init(opaque: UInt32)
  /// The pixel of values between the whole ones, 0...255 each: what lies above a threshold of 0...1 between two values
  /// that the format has is the upper one.
  init(rounding values: SIMD3<Float>, threshold: Float)
  /// Lines beside one another that differ in a gradient.
  static var gradientLines: Int { get }
  /// Its colour, 8 bits a channel.
  var color: Color { get }
}

extension UInt32: PixelKind {
  init(_ color: Color) { self = color.xrgb8888.littleEndian }

  init(opaque value: UInt32) { self = (value | 0xFF00_0000).littleEndian }

  /// Rounded to the nearest: steps of a 255th are not seen.
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

extension UInt16: PixelKind {
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
