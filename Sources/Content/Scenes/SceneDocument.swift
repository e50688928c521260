package import JSON

// A scene document is a JSON object: `{"kind": "card", "title": "Lift", "style": {"accent": "#f00"}}`. The table in
// SceneKind.swift defines the kinds and their fields.

extension Scene {
  /// Creates a scene from a document.
  ///
  /// - Parameter document: A JSON object with the fields of its kind.
  /// - Throws: `DocumentError` for an unknown kind or field, a wrong type, a value out of range, a document larger than
  ///   `SceneBounds`, or text in exactly the color of its background.
  package init(document: JSONValue) throws(DocumentError) {
    try SceneBounds.check(document)
    try self.init(kept: document)
    if let text = invisibleText(on: nil) { throw DocumentError(invisible: text) }
  }

  /// Creates a scene from a stored or nested document, without checking its size or contrast.
  init(kept document: JSONValue) throws(DocumentError) {
    guard case .object(let members) = document else {
      throw .mismatch("an object like {\"kind\": \"banner\", \"text\": \"Welcome\"}", document)
    }
    guard let member = members["kind"] else {
      throw DocumentError(path: "kind", reason: "is missing: it must be one of " + SceneKind.names)
    }
    guard let name = member.text else { throw .mismatch("text", member).inside("kind") }
    guard let kind = SceneKind.all.first(where: { $0.name == name }) else {
      let guess = DocumentError.guess(name, SceneKind.all.map(\.name))
      throw DocumentError(path: "kind", reason: "is \(DocumentError.quote(name)): \(guess)")
    }
    self = try kind.read(document)
  }

  /// Creates a scene from a document in JSON.
  ///
  /// - Parameter bytes: JSON in UTF-8, at most 8 MiB.
  /// - Throws: `DocumentError` if the text is too long, is not valid JSON, or `init(document:)` rejects the document.
  package init(parsing bytes: some Collection<UInt8>) throws(DocumentError) {
    guard bytes.count <= Self.mostBytes else {
      throw DocumentError(reason: "has \(bytes.count) bytes: it may have at most \(Self.mostBytes)")
    }
    var document = JSONValue.null
    do { document = try JSONValue(parsing: bytes) } catch {
      throw DocumentError(reason: "is not JSON: \(Self.reason(of: error))")
    }
    try self.init(document: document)
  }

  /// Creates a scene from a document in JSON.
  ///
  /// - Parameter text: JSON, at most 8 MiB of UTF-8.
  /// - Throws: `DocumentError` if the text is too long, is not valid JSON, or `init(document:)` rejects the document.
  package init(parsing text: String) throws(DocumentError) { try self.init(parsing: text.utf8) }

  /// The scene's document, without fields that have their default values.
  ///
  /// Reading it with `Scene(document:)` creates an equal scene.
  package var document: JSONValue {
    SceneKind.all.first { $0.name == kind }?.write(self) ?? ["kind": .string(kind)]
  }

  private static let mostBytes = 8 << 20

  private static func reason(of error: DecodingError) -> String {
    guard case .dataCorrupted(let context) = error else { return "\(error)" }
    return context.debugDescription
  }
}
