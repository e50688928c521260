package import JSON

extension Scene {
  /// The JSON Schema (draft 2020-12) of scene documents, for editors and other programs.
  ///
  /// The schema accepts what the reader accepts, except for three limits that JSON Schema cannot express. These are the
  /// length of a text in bytes, the size of a document in bytes, and the nesting depth of 4 scenes.
  package static var schema: JSONValue {
    var definitions = Dictionary(SceneKind.all.map { ($0.name, $0.schema) }) { first, _ in first }
    definitions["scene"] = ["oneOf": .array(SceneKind.all.map { ["$ref": .string("#/$defs/\($0.name)")] })]
    definitions["style"] = SceneKind.style.schema
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Placard scene",
      "$ref": "#/$defs/scene", "$defs": .object(definitions),
    ]
  }
}
