/// A type with a direct JSON representation, or `JSONValue` itself; all other types are composed of these.
protocol JSONScalar {
  /// Converts a JSON value; nil for a value of another kind or a number that does not fit.
  init?(json: JSONValue)
  /// The JSON value; nil for a number without one, such as infinity.
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
    // A nonzero number that underflows to zero is rejected, like one that overflows.
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

/// Converts a number with a decimal point or an exponent to plain digits, such as `-1.2e3` to `-1200`.
///
/// - Parameter text: The number, in JSON syntax.
/// - Returns: The digits, or nil if the number is not whole or clearly exceeds 128 bits.
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
