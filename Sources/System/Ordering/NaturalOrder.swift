/// The natural order of names with numbers: `Virtual-2` precedes `Virtual-10`.
package enum NaturalOrder {
  /// Compares two names: runs of digits by value, all other characters by byte.
  ///
  /// The order is total: names whose numbers have the same value (`DP-1`, `DP-01`) are ordered by their bytes. Numbers
  /// can have any length.
  ///
  /// - Parameters:
  ///   - one: A name.
  ///   - other: Another name.
  /// - Returns: True if `one` precedes `other`.
  package static func isBefore(_ one: String, _ other: String) -> Bool {
    var (left, right) = (Substring(one).utf8, Substring(other).utf8)
    while let first = left.first, let second = right.first {
      if isDigit(first), isDigit(second) {
        let (number, otherNumber) = (popNumber(&left), popNumber(&right))
        if number.count != otherNumber.count { return number.count < otherNumber.count }
        if !number.elementsEqual(otherNumber) { return number.lexicographicallyPrecedes(otherNumber) }
      } else if first != second {
        return first < second
      } else {
        left.removeFirst()
        right.removeFirst()
      }
    }
    return left.isEmpty == right.isEmpty ? one.utf8.lexicographicallyPrecedes(other.utf8) : left.isEmpty
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Removes a run of digits and returns it without leading zeros.
  private static func popNumber(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }
}

extension Sequence where Element == String {
  /// Returns the names in natural order.
  ///
  /// - Returns: The names in natural order, such as `Virtual-2` before `Virtual-10`.
  package func naturallySorted() -> [String] { sorted(by: NaturalOrder.isBefore) }
}

extension Sequence {
  /// Returns the elements in the natural order of their names.
  ///
  /// - Parameter name: A closure that returns the name of an element.
  /// - Returns: The elements in natural order, such as `Virtual-2` before `Virtual-10`.
  package func naturallySorted(by name: (Element) -> String) -> [Element] {
    let elements = Array(self)
    guard elements.count > 1 else { return elements }
    return elements.sorted { NaturalOrder.isBefore(name($0), name($1)) }
  }
}
