/// The values of a repeated measurement.
struct Sample {
  private(set) var values: [Double] = []

  mutating func add(_ value: Double) { values.append(value) }

  var median: Double { values.isEmpty ? .nan : values.sorted()[values.count / 2] }

  /// Formats the median and the range, such as `0.42 (0.40 to 0.51)`.
  func text(_ digits: Int) -> String {
    guard let least = values.min(), let most = values.max() else { return "not measured" }
    return "\(fixed(median, digits)) (\(fixed(least, digits)) to \(fixed(most, digits)))"
  }
}

/// Formats a number with a fixed number of decimals.
func fixed(_ value: Double, _ digits: Int) -> String {
  guard value.isFinite, abs(value) < 1e12 else { return "-" }
  let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
  let rounded = Int((value * Double(unit)).rounded())
  guard digits > 0 else { return "\(rounded)" }
  let fraction = String(abs(rounded) % unit)
  let sign = rounded < 0 ? "-" : ""
  return "\(sign)\(abs(rounded) / unit)." + String(repeating: "0", count: digits - fraction.count) + fraction
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
