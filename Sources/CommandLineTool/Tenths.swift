/// Numbers for people.
enum Tenths {
  /// With one place behind the point, `12.3`; `-` for what is no number.
  static func text(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "-" }
    let tenths = Int64((number * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }
}
