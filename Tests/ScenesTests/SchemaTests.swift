import Foundation
import JSON
import Scenes
import SeededRandom
import Testing

/// The schema that is committed for others. PLACARD_UPDATE_GOLDEN=1 writes it anew where it differs.
struct SchemaTests {
  private static let path = "\(#filePath)/../../../scripts/scene.schema.json"

  @Test func `The committed schema is that of the reader's own table`() throws {
    let file = URL(filePath: Self.path).standardized
    if ProcessInfo.processInfo.environment["PLACARD_UPDATE_GOLDEN"] == "1" {
      try Data(Scene.schema.prettyEncoded + Array("\n".utf8)).write(to: file)
    }
    #expect(try JSONValue(parsing: Data(contentsOf: file)) == Scene.schema)
  }

  /// The reader that knows only what the schema says.
  @Test(arguments: SeededGenerator.seeds)
  func `What is written has only fields that the schema knows, and all that it requires`(seed: UInt64) throws {
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
        Issue.record("no required fields: \(schema)")
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

  @Test func `Every field of the schema is taken by the reader, and no other`() throws {
    guard case .object(let definitions)? = Scene.schema["$defs"] else {
      Issue.record("no kinds")
      return
    }
    for (kind, schema) in definitions where kind != "scene" && kind != "style" {
      guard case .object(let properties)? = schema["properties"] else {
        Issue.record("\(kind) has no fields")
        continue
      }
      for key in properties.keys where key != "kind" {
        // An object is a value for the style alone: what is refused is the value then, not the field.
        let document: JSONValue = .object(["kind": .string(kind), key: [:]])
        #expect(refusal(of: document)?.reason.contains("is no field") != true, "\(kind).\(key)")
      }
      let other = JSONValue.object(["kind": .string(kind), "zzz": 1])
      #expect(refusal(of: other)?.reason.contains("is no field") == true, "\(kind)")
    }
  }

  private func refusal(of document: JSONValue) -> DocumentError? {
    do {
      _ = try Scene(document: document)
      return nil
    } catch { return error }
  }
}
