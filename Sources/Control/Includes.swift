extension StringProtocol {
  /// Returns whether a text occurs in this one, byte for byte.
  ///
  /// `contains(_:)` for texts is part of the library of regular expressions, which is 1.5 MB of the program.
  ///
  /// - Parameter text: The text; an empty one occurs everywhere.
  package func includes(_ text: some StringProtocol) -> Bool {
    let (bytes, wanted) = (Array(utf8), Array(text.utf8))
    guard bytes.count >= wanted.count else { return false }
    return (0...bytes.count - wanted.count).contains { bytes[$0...].starts(with: wanted) }
  }
}
