import Geometry

extension Color {
  /// This colour with a share (0...1) of another one in it, by the channels' values.
  func mixed(with other: Color, _ share: Double) -> Color {
    func mix(_ own: UInt8, _ others: UInt8) -> UInt8 {
      UInt8(clamping: Int((Double(own) + (Double(others) - Double(own)) * share).rounded()))
    }
    return Color(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }
}
