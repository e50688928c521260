/// Divides and rounds toward negative infinity.
///
/// - Parameters:
///   - number: Any number, such as a time before 1970.
///   - divisor: A positive number.
/// - Returns: The largest number whose product with `divisor` is at most `number`.
@inlinable
package func floorDivide<Number: FixedWidthInteger & SignedInteger>(_ number: Number, _ divisor: Number) -> Number {
  let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
  return rest < 0 ? quotient - 1 : quotient
}

/// Returns the remainder of a division that rounds toward negative infinity.
///
/// - Parameters:
///   - number: Any number.
///   - divisor: A positive number.
/// - Returns: A number from 0 to `divisor` - 1.
@inlinable
package func floorModulo<Number: FixedWidthInteger & SignedInteger>(_ number: Number, _ divisor: Number) -> Number {
  let rest = number % divisor
  return rest < 0 ? rest + divisor : rest
}
