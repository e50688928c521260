/// The heights of capital letters that a person with normal sight reads at a distance without effort.
///
/// The rule is NUREG-0700, Human-System Interface Design Review Guidelines, on character height: a preferred visual
/// angle of 20 minutes of arc, which is 0.006 of the distance. The smallest angle it allows, 15 minutes of arc, is not
/// used: signs are read in passing.
package enum Legibility {
  /// The height of a capital letter per distance.
  package static let heightPerDistance = 0.006

  /// Returns the largest distance from which letters are readable.
  ///
  /// - Parameter height: The height of a capital letter.
  /// - Returns: The distance, in the unit of the height.
  package static func distance(forHeight height: Double) -> Double { height / heightPerDistance }

  /// Returns the smallest height of a capital letter that is readable.
  ///
  /// - Parameter distance: The distance of the reader.
  /// - Returns: The height, in the unit of the distance.
  package static func height(atDistance distance: Double) -> Double { distance * heightPerDistance }
}
