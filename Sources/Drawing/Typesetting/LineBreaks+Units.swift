extension LineBreaks {
  /// The units that stay on a line with their number, as ISO 80000-1 and most house styles require.
  private static let units: Set<String> = [
    "m", "mm", "cm", "dm", "km", "nm", "\u{B5}m", "\u{3BC}m", "m\u{B2}", "m\u{B3}", "km\u{B2}", "ha", "l", "L", "ml",
    "mL", "cl", "g", "mg", "kg", "t", "s", "ms", "min", "h", "d", "K", "C", "\u{B0}", "\u{B0}C", "\u{B0}F", "W", "kW",
    "MW", "GW", "Wh", "kWh", "MWh", "V", "mV", "kV", "A", "mA", "Hz", "kHz", "MHz", "GHz", "bar", "mbar", "Pa", "hPa",
    "kPa", "N", "J", "kJ", "dB", "lx", "lm", "B", "kB", "MB", "GB", "TB", "kbit/s", "Mbit/s", "Gbit/s", "km/h", "m/s",
    "mph", "rpm", "ppm", "px", "in", "ft", "mi", "lb", "oz", "am", "pm", "AM", "PM", "Uhr", "%", "\u{2030}", "\u{20AC}",
    "$", "\u{A3}", "\u{A5}", "CHF", "EUR", "USD", "GBP",
  ]
  /// The largest number of code points in a unit.
  private static let longestUnit = 6

  /// Removes breaks between a number and its unit, such as in `21.5 kg`.
  ///
  /// - Parameters:
  ///   - scalars: The code points of a paragraph.
  ///   - breaks: For each code point, whether a line may start with it.
  static func keepUnits(with scalars: [TextScalar], in breaks: inout [Bool]) {
    for place in breaks.indices where breaks[place] && place >= 2 {
      guard scalars[place - 1].piece == .space, (0x30...0x39).contains(scalars[place - 2].value) else { continue }
      let rest = scalars[place...].prefix { !$0.piece.isGap }.prefix(longestUnit + 2)
      // The unit can be followed by punctuation.
      let marks: Set<UInt32> = [0x21, 0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F]
      let unit = rest.reversed().drop { marks.contains($0.value) }.reversed()
      let word = String(String.UnicodeScalarView(unit.compactMap { Unicode.Scalar($0.value) }))
      if units.contains(word) { breaks[place] = false }
    }
  }
}
