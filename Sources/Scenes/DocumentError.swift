/// Why a document is no scene.
public struct DocumentError: Error, Hashable, Sendable {
  /// The field, `columns[2].cards[0].accent`; empty for the document as a whole.
  public var path: String
  /// What is wrong with it, and what would be right.
  public var reason: String

  /// An error at a place in a document.
  public init(path: String = "", reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The same error, seen from around the field or the element `[2]` that it is in.
  func inside(_ outer: String) -> DocumentError {
    let isJoined = path.isEmpty || path.hasPrefix("[")
    return DocumentError(path: outer + (isJoined ? "" : ".") + path, reason: reason)
  }

  /// A foreign word as it may stand in a sentence.
  static func quote(_ word: String) -> String {
    let hasMore = word.unicodeScalars.prefix(61).count > 60
    return String(String.UnicodeScalarView(word.unicodeScalars.prefix(60))).debugDescription + (hasMore ? "..." : "")
  }
}

extension DocumentError: CustomStringConvertible {
  /// One sentence: "`columns[2].cards[0].accent` is "red": a colour is written #rrggbb or #rgb, like "#0b1f4b"".
  public var description: String { (path.isEmpty ? "the scene" : "`\(path)`") + " " + reason }
}
