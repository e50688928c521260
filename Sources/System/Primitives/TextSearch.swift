extension StringProtocol {
  /// Finds a text in this one. The standard library's search links all of Regex, 1.3 MB.
  ///
  /// - Parameter wanted: The text to find; it must not be empty.
  /// - Returns: The range of its first occurrence; nil if there is none.
  package func firstRange(ofText wanted: String) -> Range<Index>? {
    for start in indices where self[start...].hasPrefix(wanted) {
      return start..<index(start, offsetBy: wanted.count)
    }
    return nil
  }
}
