/// A length in the configuration, such as `6 m` or `55 in`.
package enum Length {
  /// The unit names and their lengths in millimeters. An inch is 25.4 mm, and a foot is 12 inches.
  private static let units: [(name: String, millimeters: Double)] = [
    ("mm", 1), ("cm", 10), ("m", 1000), ("in", 25.4), ("ft", 304.8),
  ]

  /// Parses a decimal number with a unit, with or without a space between them.
  ///
  /// - Parameter text: The text, such as `6 m`, `0.9m`, `55 in` or `20 ft`.
  /// - Returns: The length in whole millimeters, rounded; nil if the text is not a length below 1,000 km.
  package static func millimeters(parsing text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard digits.first?.isNumber == true, digits.last?.isNumber == true, let number = Double(String(digits)),
      let length = units.first(where: { $0.name == String(unit) }), number * length.millimeters < 1e9
    else { return nil }
    return Int((number * length.millimeters).rounded())
  }
}
