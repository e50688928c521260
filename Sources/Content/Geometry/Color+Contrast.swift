import Glibc

extension Color {
  /// The minimum contrast of text in WCAG 2 (success criterion 1.4.3).
  ///
  /// The lower limit for large text does not apply: a sign is large, but it is read from a distance.
  package static let leastContrast = 4.5

  /// Returns the contrast ratio of two colors as defined by WCAG 2.
  ///
  /// The order of the colors does not matter.
  ///
  /// - Parameter other: The other color.
  /// - Returns: The ratio, from 1 (equal colors) to 21 (black and white).
  package func contrast(with other: Color) -> Double {
    let (own, others) = (relativeLuminance, other.relativeLuminance)
    return (max(own, others) + 0.05) / (min(own, others) + 0.05)
  }

  /// The relative luminance as defined by WCAG 2, from 0 (black) to 1 (white).
  private var relativeLuminance: Double {
    func linear(_ channel: UInt8) -> Double {
      let share = Double(channel) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
