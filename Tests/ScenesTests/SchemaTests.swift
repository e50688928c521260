import Foundation
import JSON
import Scenes
import SeededRandom
import Testing

/// The schema in the repository. PLACARD_UPDATE_GOLDEN=1 rewrites it if it differs.
struct SchemaTests {
  private static let path = "\(#filePath)/../../../scripts/scene.schema.json"

  @Test func `The schema in the repository matches the reader's table`() throws {
    let file = URL(filePath: Self.path).standardized
    if ProcessInfo.processInfo.environment["PLACARD_UPDATE_GOLDEN"] == "1" {
      try Data(Scene.schema.prettyEncoded + Array("\n".utf8)).write(to: file)
    }
    #expect(try JSONValue(parsing: Data(contentsOf: file)) == Scene.schema)
  }

  /// Checks documents with a reader that knows only the schema.
  @Test(arguments: SeededGenerator.seeds)
  func `A written scene has only the schema's fields, and all required ones`(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    let definitions = try #require(Scene.schema["$defs"])
    for _ in 0..<10 { check(chance.scene().document, against: ["$ref": "#/$defs/scene"], definitions) }
  }

  private func check(_ json: JSONValue, against schema: JSONValue, _ definitions: JSONValue) {
    if let name = schema["$ref"]?.text?.split(separator: "/").last {
      let known = name == "scene" ? json["kind"]?.text ?? "" : String(name)
      check(json, against: definitions[known] ?? .null, definitions)
    } else if case .object(let members) = json {
      #expect(schema["type"] == "object" && schema["additionalProperties"] == false)
      guard case .array(let required)? = schema["required"] else {
        Issue.record("the schema has no required fields: \(schema)")
        return
      }
      for key in required.compactMap(\.text) { #expect(members[key] != nil, "\(key)") }
      for (key, member) in members { check(member, against: schema["properties"]?[key] ?? .null, definitions) }
    } else if case .array(let elements) = json {
      for element in elements { check(element, against: schema["items"] ?? .null, definitions) }
    } else {
      #expect(schema["const"] == json || schema["enum"] != nil || schema["type"] != nil, "\(json): \(schema)")
    }
  }

  @Test func `The reader accepts exactly the schema's fields`() throws {
    guard case .object(let definitions)? = Scene.schema["$defs"] else {
      Issue.record("the schema has no kinds")
      return
    }
    for (kind, schema) in definitions where kind != "scene" && kind != "style" {
      guard case .object(let properties)? = schema["properties"] else {
        Issue.record("\(kind) has no fields")
        continue
      }
      for key in properties.keys where key != "kind" {
        // Only `style` accepts an object; for other fields the value is rejected, not the field.
        let document: JSONValue = .object(["kind": .string(kind), key: [:]])
        #expect(refusal(of: document)?.reason.contains("is not a field") != true, "\(kind).\(key)")
      }
      let other = JSONValue.object(["kind": .string(kind), "zzz": 1])
      #expect(refusal(of: other)?.reason.contains("is not a field") == true, "\(kind)")
    }
  }

  private func refusal(of document: JSONValue) -> DocumentError? {
    do {
      _ = try Scene(document: document)
      return nil
    } catch { return error }
  }
}
