import JSON

/// A set of builders for JSON Schema (2020-12, as used by OpenAPI 3.1).
enum APISchema {
  /// A field of an object.
  struct Field {
    let name: String
    let schema: JSONValue
    let isRequired: Bool

    /// Returns a field that is always present.
    static func must(_ name: String, _ schema: JSONValue, _ text: String) -> Field {
      Field(name: name, schema: schema.describing(text), isRequired: true)
    }

    /// Returns a field that may be left out.
    static func may(_ name: String, _ schema: JSONValue, _ text: String) -> Field {
      Field(name: name, schema: schema.describing(text), isRequired: false)
    }
  }

  /// Returns the schema of an object; a closed one, as used for requests, permits no other fields.
  static func object(
    _ text: String, _ fields: [Field], isClosed: Bool = false, and rules: [String: JSONValue] = [:]
  ) -> JSONValue {
    var schema = rules
    schema["type"] = "object"
    schema["description"] = .string(text)
    schema["properties"] = .object(Dictionary(fields.map { ($0.name, $0.schema) }) { first, _ in first })
    let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    if isClosed { schema["additionalProperties"] = false }
    return .object(schema)
  }

  /// Returns the schema of a text, with an optional example.
  static func text(_ example: String? = nil, least: Int? = nil, most: Int? = nil, pattern: String? = nil) -> JSONValue {
    var schema: [String: JSONValue] = ["type": "string"]
    if let example { schema["examples"] = [.string(example)] }
    if let least { schema["minLength"] = .number("\(least)") }
    if let most { schema["maxLength"] = .number("\(most)") }
    if let pattern { schema["pattern"] = .string(pattern) }
    return .object(schema)
  }

  /// Returns the schema of a text that is one of these words.
  static func word(_ words: [String]) -> JSONValue {
    ["type": "string", "enum": .array(words.map { .string($0) })]
  }

  /// Returns the schema of a whole number, optionally in a range.
  static func integer(_ range: ClosedRange<Int>? = nil, example: Int? = nil) -> JSONValue {
    var schema: [String: JSONValue] = ["type": "integer"]
    if let range {
      schema["minimum"] = .number("\(range.lowerBound)")
      if range.upperBound < .max { schema["maximum"] = .number("\(range.upperBound)") }
    }
    if let example { schema["examples"] = [.number("\(example)")] }
    return .object(schema)
  }

  /// The schema of `true` and `false`.
  static let flag: JSONValue = ["type": "boolean"]

  /// Returns the schema of a list.
  static func list(of items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

  /// Returns a reference to a schema by its name.
  static func ref(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

  /// The schema of a point in time.
  static let moment = ref("Timestamp")
}

extension JSONValue {
  /// Returns this schema with a description.
  fileprivate func describing(_ text: String) -> JSONValue { setting("description", .string(text)) }

  /// Returns this object with one more member; any other value is returned unchanged.
  func setting(_ key: String, _ value: JSONValue) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members[key] = value
    return .object(members)
  }
}
