/// A language of people, perhaps with a script and a country, as a BCP 47 tag such as `de`, `en-GB` or `zh-Hant-TW`.
package struct Language: Hashable, Sendable {
  /// The tag.
  package let tag: String

  /// Creates a language from its tag; fails if the text does not have the form of one.
  ///
  /// - Parameter tag: A tag of letters, digits and hyphens (RFC 5646, section 2.1), at most 35 bytes.
  package init?(_ tag: String) {
    let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard tag.utf8.count <= 35, let first = parts.first, (2...3).contains(first.count), first.allSatisfy(Self.isLetter),
      parts.dropFirst().allSatisfy({
        (1...8).contains($0.count) && $0.allSatisfy { Self.isLetter($0) || Self.isDigit($0) }
      })
    else { return nil }
    self.tag = tag
  }

  /// Creates the language of a POSIX locale, such as `de_DE.UTF-8`; fails for `C`, `POSIX` and an empty name.
  ///
  /// - Parameter locale: The value of a variable such as `LANG`: a language, and optionally a country, an encoding and a
  ///   modifier, such as `sr_RS.UTF-8@latin` (POSIX.1-2017, section 8.2). The encoding and the modifier are ignored.
  package init?(posix locale: String) {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    self.init(String(name.map { $0 == "_" ? "-" : $0 }))
  }

  /// The language of the process's environment: the first of `LC_ALL`, `LC_TIME` and `LANG` that is set and not empty.
  ///
  /// - Parameter variable: Returns the value of an environment variable; nil if it is not set.
  /// - Returns: The language; nil if it is not that of people, as with `LANG=C`.
  package static func ofHost(_ variable: (String) -> String?) -> Language? {
    let names = ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
    return names.flatMap { Language(posix: $0) }
  }

  /// The syntax of tags as a regular expression of JSON Schema.
  package static let pattern = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$"

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
