/// Numbers for people.
enum Tenths {
  /// Returns a number with one decimal, `12.3`; `-` for infinity, NaN, and magnitudes of 10^15 or more.
  static func text(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "-" }
    let tenths = Int64((number * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }
}
