/// Gives each heading a name of its own, as GitHub does.
struct AnchorNames {
  /// How often a name was wanted, of those that are taken.
  private var taken: [String: Int] = [:]

  /// In small letters; letters, marks, digits, `_` and `-` stay, and spaces become `-`. A name that is taken gets the
  /// first of `-1`, `-2` and so on that is not.
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

  /// Ruby's `\p{Word}`, which GitHub's pipeline asks for, and the hyphen.
  private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation:
      true
    default: scalar == "-"
    }
  }
}
