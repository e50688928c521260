import JSON

/// The size limits of a scene from outside.
///
/// Stored scenes are read regardless of their size: they may be older than the limits.
package enum SceneBounds {
  /// The limit of each text, in bytes of UTF-8.
  package static let text = 64 << 10
  /// The limit of the whole document, in bytes of JSON without whitespace.
  package static let document = 256 << 10

  /// Rejects a document that is too large.
  ///
  /// - Parameter document: The document of a scene.
  /// - Throws: `DocumentError` with the path of the text that is too long, or with no path if the whole document is too
  ///   large.
  static func check(_ document: JSONValue) throws(DocumentError) {
    try checkTexts(document)
    let count = document.encoded.count
    guard count <= Self.document else {
      throw DocumentError(reason: "has \(count) bytes as JSON: it may have at most \(Self.document); shorten it")
    }
  }

  private static func checkTexts(_ value: JSONValue) throws(DocumentError) {
    switch value {
    case .string(let string): try checkLength(of: string)
    case .array(let elements):
      for (place, element) in elements.enumerated() {
        do throws(DocumentError) { try checkTexts(element) } catch { throw error.inside("[\(place)]") }
      }
    case .object(let members):
      // A longer key is not a field. The reader reports it.
      for (key, member) in members.sorted(by: { $0.key < $1.key }) where key.utf8.count <= 60 {
        do throws(DocumentError) { try checkTexts(member) } catch { throw error.inside(key) }
      }
    default: break
    }
  }

  private static func checkLength(of string: String) throws(DocumentError) {
    let count = string.utf8.count
    guard count <= text else { throw DocumentError(reason: "has \(count) bytes: it may have at most \(text)") }
  }
}
