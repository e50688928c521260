import Geometry

extension Color {
  /// Returns this color mixed with a share (0...1) of another, by interpolating the sRGB channel values.
  func mixed(with other: Color, _ share: Double) -> Color {
    func mix(_ own: UInt8, _ others: UInt8) -> UInt8 {
      UInt8(clamping: Int((Double(own) + (Double(others) - Double(own)) * share).rounded()))
    }
    return Color(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }
}
