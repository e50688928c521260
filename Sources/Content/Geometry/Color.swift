/// An opaque sRGB color with 8 bits per channel.
package struct Color: Hashable, Sendable {
  /// The red channel, 0...255.
  package var red: UInt8
  /// The green channel, 0...255.
  package var green: UInt8
  /// The blue channel, 0...255.
  package var blue: UInt8

  /// Creates a color from its channels.
  package init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The color white.
  package static let white = Color(red: 255, green: 255, blue: 255)
  /// The color black.
  package static let black = Color(red: 0, green: 0, blue: 0)
  /// The default accent color.
  package static let amber = Color(red: 0xF2, green: 0xB1, blue: 0x34)
  /// The default background color, a dark blue.
  package static let nightBlue = Color(red: 0x0B, green: 0x1F, blue: 0x4B)

  /// The color in DRM's XRGB8888 format, with the unused byte set to 255.
  package var xrgb8888: UInt32 {
    0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }
}

extension Color: CustomStringConvertible {
  /// The color in hexadecimal notation, such as `#0b1f4b`.
  package var description: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension Color {
  /// Parses `#rgb` or `#rrggbb`, or returns nil for any other text.
  package init?(parsing text: some StringProtocol) {
    guard text.first == "#" else { return nil }
    let digits = text.dropFirst()
    let full = digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits)
    guard full.count == 6, full.allSatisfy(\.isHexDigit), let value = UInt32(full, radix: 16) else { return nil }
    self.init(
      red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
  }
}
