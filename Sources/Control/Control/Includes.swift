extension StringProtocol {
  /// Returns whether a text occurs in this one, byte for byte.
  ///
  /// `contains(_:)` with a string argument is part of the regular expression library, which adds 1.5 MB to the program.
  ///
  /// - Parameter text: The text; an empty one occurs everywhere.
  /// - Returns: Whether the text occurs.
  package func includes(_ text: some StringProtocol) -> Bool {
    let (bytes, wanted) = (Array(utf8), Array(text.utf8))
    guard bytes.count >= wanted.count else { return false }
    return (0...bytes.count - wanted.count).contains { bytes[$0...].starts(with: wanted) }
  }
}
