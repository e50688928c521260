/// The output texts of `show`, shared by the small program and the full program.
package enum ShowTexts {
  /// Returns the note about the smallest text on a display.
  ///
  /// - Parameters:
  ///   - height: The height of a capital letter in millimeters.
  ///   - distance: The largest distance from which it is readable, in meters.
  /// - Returns: A line without the display's name and without a line break, such as `the smallest letters are 36.0 mm
  ///   high, readable from 6.0 m`.
  package static func legibility(_ height: String, _ distance: String) -> String {
    "the smallest letters are " + height + " mm high, readable from " + distance + " m"
  }
}
