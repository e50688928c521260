public import JSON

// A scene's document is a JSON object: `{"kind": "card", "title": "Lift", "style": {"accent": "#f00"}}`. Which kinds there
// are and which fields they have is the table in SceneKind.swift.

extension Scene {
  /// The scene that a document stands for. Unknown kinds and fields, wrong types, values out of range, what is larger
  /// than `SceneBounds` and text in exactly the color of its background are refused.
  public init(document: JSONValue) throws(DocumentError) {
    try SceneBounds.check(document)
    try self.init(kept: document)
    if let text = invisibleText(on: nil) { throw DocumentError(invisible: text) }
  }

  /// The scene of a document of any size, or of one in another.
  init(kept document: JSONValue) throws(DocumentError) {
    guard case .object(let members) = document else {
      throw .mismatch("an object like {\"kind\": \"banner\", \"text\": \"Welcome\"}", document)
    }
    guard let member = members["kind"] else {
      throw DocumentError(path: "kind", reason: "is missing: it is one of " + SceneKind.names)
    }
    guard let name = member.text else { throw .mismatch("text", member).inside("kind") }
    guard let kind = SceneKind.all.first(where: { $0.name == name }) else {
      let guess = DocumentError.guess(name, SceneKind.all.map(\.name))
      throw DocumentError(path: "kind", reason: "is \(DocumentError.quote(name)): \(guess)")
    }
    self = try kind.read(document)
  }

  /// The scene of a document in JSON, at most 8 MiB of it.
  public init(parsing bytes: some Collection<UInt8>) throws(DocumentError) {
    guard bytes.count <= Self.mostBytes else {
      throw DocumentError(reason: "has \(bytes.count) bytes: it may have at most \(Self.mostBytes)")
    }
    var document = JSONValue.null
    do { document = try JSONValue(parsing: bytes) } catch {
      throw DocumentError(reason: "is no JSON: \(Self.reason(of: error))")
    }
    try self.init(document: document)
  }

  /// The scene of a document in JSON.
  public init(parsing text: String) throws(DocumentError) { try self.init(parsing: text.utf8) }

  /// What is written down of it: `Scene(document:)` makes the same scene of it. What is as usual is left out.
  public var document: JSONValue {
    SceneKind.all.first { $0.name == kind }?.write(self) ?? ["kind": .string(kind)]
  }

  private static let mostBytes = 8 << 20

  private static func reason(of error: DecodingError) -> String {
    guard case .dataCorrupted(let context) = error else { return "\(error)" }
    return context.debugDescription
  }
}
