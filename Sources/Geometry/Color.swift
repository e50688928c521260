/// An opaque colour of 8 bits a channel (sRGB).
public struct Color: Hashable, Sendable {
  /// Red, 0...255.
  public var red: UInt8
  /// Green, 0...255.
  public var green: UInt8
  /// Blue, 0...255.
  public var blue: UInt8

  /// A colour from its channels.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// White.
  public static let white = Color(red: 255, green: 255, blue: 255)
  /// Black.
  public static let black = Color(red: 0, green: 0, blue: 0)
  /// What stands out unless something else was asked for.
  public static let amber = Color(red: 0xF2, green: 0xB1, blue: 0x34)
  /// The dark blue that stands behind all unless something else was asked for.
  public static let nightBlue = Color(red: 0x0B, green: 0x1F, blue: 0x4B)

  /// As DRM's XRGB8888 stores it, with the unused byte at 255.
  public var xrgb8888: UInt32 {
    0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }
}

extension Color: CustomStringConvertible {
  /// `#0b1f4b`.
  public var description: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension Color {
  /// Reads `#rgb` or `#rrggbb`; nil for anything else.
  public init?(parsing text: some StringProtocol) {
    guard text.first == "#" else { return nil }
    let digits = text.dropFirst()
    let full = digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits)
    guard full.count == 6, full.allSatisfy(\.isHexDigit), let value = UInt32(full, radix: 16) else { return nil }
    self.init(
      red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
  }
}
