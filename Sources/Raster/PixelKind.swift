import Geometry

/// A pixel as it lies in memory.
protocol PixelKind: FixedWidthInteger & UnsignedInteger {
  init(_ color: Color)
  /// A pixel of a picture that lets nothing through: red, green and blue from the third byte down.
  init(opaque: UInt32)
  /// Its colour, 8 bits a channel.
  var color: Color { get }
}

extension UInt32: PixelKind {
  init(_ color: Color) { self = color.xrgb8888.littleEndian }

  init(opaque value: UInt32) { self = (value | 0xFF00_0000).littleEndian }

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

  var color: Color {
    let value = littleEndian
    let (red, green, blue) = (value &>> 11, value &>> 5 & 0x3F, value & 0x1F)
    return Color(
      red: UInt8(truncatingIfNeeded: red &<< 3 | red &>> 2),
      green: UInt8(truncatingIfNeeded: green &<< 2 | green &>> 4),
      blue: UInt8(truncatingIfNeeded: blue &<< 3 | blue &>> 2))
  }
}
