/// A formatter of hexadecimal digits without Foundation.
package enum Hex {
  /// Returns a number in lower case, padded with zeros.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - count: The minimum number of digits.
  /// - Returns: The digits without a prefix; more than `count` if the number needs them.
  package static func digits(_ number: UInt64, _ count: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
