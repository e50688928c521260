/// A generator of unique anchors for headings, compatible with GitHub.
struct AnchorNames {
  /// The last suffix that was tried for each anchor in use.
  private var taken: [String: Int] = [:]

  /// Returns a unique anchor for a title.
  ///
  /// - Parameter title: The heading's text.
  /// - Returns: The title in lowercase, with letters, marks, digits, `_` and `-` kept, spaces replaced by `-`, and
  ///   everything else removed. If that is in use, the first free suffix of `-1`, `-2` and so on is appended.
  mutating func name(for title: String) -> String {
    let slug = Self.slug(title)
    var name = slug
    while taken[name] != nil {
      let count = (taken[slug] ?? 0) &+ 1
      taken[slug] = count
      name = "\(slug)-\(count)"
    }
    taken[name] = 0
    return name
  }

  private static func slug(_ title: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in title.lowercased().unicodeScalars {
      if scalar == " " { scalars.append("-") } else if isKept(scalar) { scalars.append(scalar) }
    }
    return String(scalars)
  }

  /// Returns whether a character is in Ruby's `\p{Word}`, which GitHub's pipeline uses, or is a hyphen.
  private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation:
      true
    default: scalar == "-"
    }
  }
}
