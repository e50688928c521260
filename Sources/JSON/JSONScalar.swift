/// A type that JSON has a word of its own for, or `JSONValue` itself; all others are made of these.
protocol JSONScalar {
  /// What a word of JSON means; nil where it is of another kind, or a number that does not fit.
  init?(json: JSONValue)
  /// The word for it; nil where there is none, as for infinities.
  var json: JSONValue? { get }
}

extension Bool: JSONScalar {
  init?(json: JSONValue) {
    guard case .bool(let value) = json else { return nil }
    self = value
  }

  var json: JSONValue? { .bool(self) }
}

extension String: JSONScalar {
  init?(json: JSONValue) {
    guard case .string(let value) = json else { return nil }
    self = value
  }

  var json: JSONValue? { .string(self) }
}

extension JSONScalar where Self: FixedWidthInteger {
  init?(json: JSONValue) {
    guard case .number(let text) = json, let value = Self(text) ?? wholeNumber(text).flatMap({ Self($0) }) else {
      return nil
    }
    self = value
  }

  var json: JSONValue? { .number(String(self)) }
}

extension JSONScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
  init?(json: JSONValue) {
    guard case .number(let text) = json, let value = Self(text), value.isFinite else { return nil }
    // A number too close to zero for the type is as lost as one that is too large.
    guard value != 0 || wholeNumber(text) == "0" else { return nil }
    self = value
  }

  var json: JSONValue? {
    guard isFinite else { return nil }
    return .number(description.hasSuffix(".0") ? String(description.dropLast(2)) : description)
  }
}

extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension Int128: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
extension UInt128: JSONScalar {}
extension Float: JSONScalar {}
extension Double: JSONScalar {}

/// The plain digits of a number with a point or an exponent, `-1.2e3` as `-1200`; nil where it is not whole, or beyond
/// 128 bits.
private func wholeNumber(_ text: String) -> String? {
  let parts = text.split { $0 == "e" || $0 == "E" }
  if parts.isEmpty { return nil }
  let mantissa = parts[0].split(separator: ".")
  let digits = mantissa.joined()
  guard let last = digits.lastIndex(where: { $0 != "0" && $0 != "-" }) else { return "0" }
  guard let exponent = Int32(parts.count > 1 ? parts[1] : "0") else { return nil }
  let fraction = mantissa.count > 1 ? mantissa[1].count : 0
  let zeros = Int(exponent) - fraction + digits[last...].count - 1
  guard (0..<40).contains(zeros) else { return nil }
  return digits[...last] + String(repeating: "0", count: zeros)
}
