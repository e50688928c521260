import JSON

/// How large a scene may be that comes from outside. Scenes that were kept before there were bounds are read as they are.
public enum SceneBounds {
  /// The bytes of each text in UTF-8.
  public static let text = 64 << 10
  /// The bytes of the whole document as JSON without spaces.
  public static let document = 256 << 10

  /// Refuses a document that is too large, and names the text that is.
  static func check(_ document: JSONValue) throws(DocumentError) {
    try checkTexts(document)
    let count = document.encoded.count
    guard count <= Self.document else {
      throw DocumentError(reason: "has \(count) bytes as JSON: it may have at most \(Self.document); show less at once")
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
      // A key of this length is no field, which its reader says.
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
