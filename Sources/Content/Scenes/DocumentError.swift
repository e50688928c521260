/// The reason why a document is not a valid scene.
package struct DocumentError: Error, Hashable, Sendable {
  /// The path of the invalid field, such as `columns[2].cards[0].accent`; empty for the whole document.
  package var path: String
  /// A description of the problem and of the expected value.
  package var reason: String

  /// Creates an error at a path in a document.
  package init(path: String = "", reason: String) {
    self.path = path
    self.reason = reason
  }

  /// Returns the error with its path prefixed by the enclosing field, or by the enclosing element, such as `[2]`.
  package func inside(_ outer: String) -> DocumentError {
    let isJoined = path.isEmpty || path.hasPrefix("[")
    return DocumentError(path: outer + (isJoined ? "" : ".") + path, reason: reason)
  }

  /// Returns a word from outside, quoted, escaped and shortened to 60 code points.
  static func quote(_ word: String) -> String {
    let hasMore = word.unicodeScalars.prefix(61).count > 60
    return String(String.UnicodeScalarView(word.unicodeScalars.prefix(60))).debugDescription + (hasMore ? "..." : "")
  }
}

extension DocumentError: CustomStringConvertible {
  /// One sentence, such as: `columns[2].cards[0].accent` is "red": write a color as #rrggbb or #rgb, like "#0b1f4b".
  package var description: String { (path.isEmpty ? "the scene" : "`\(path)`") + " " + reason }
}
