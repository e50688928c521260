public import JSON

extension Scene {
  /// What documents of scenes are, in the words of JSON Schema (draft 2020-12), for editors and other programs.
  ///
  /// It says what the reader says, but for three bounds that it has no words for: texts are counted in bytes, documents
  /// are too, and scenes in each other are at most 4.
  public static var schema: JSONValue {
    var definitions = Dictionary(SceneKind.all.map { ($0.name, $0.schema) }) { first, _ in first }
    definitions["scene"] = ["oneOf": .array(SceneKind.all.map { ["$ref": .string("#/$defs/\($0.name)")] })]
    definitions["style"] = SceneKind.style.schema
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A scene of Placard",
      "$ref": "#/$defs/scene", "$defs": .object(definitions),
    ]
  }
}
