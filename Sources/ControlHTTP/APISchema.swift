import JSON

/// Builds JSON Schema (2020-12, as OpenAPI 3.1 has it) of small words.
enum APISchema {
  /// A field of an object.
  struct Field {
    let name: String
    let schema: JSONValue
    let isRequired: Bool

    /// One that is always there.
    static func must(_ name: String, _ schema: JSONValue, _ text: String) -> Field {
      Field(name: name, schema: schema.describing(text), isRequired: true)
    }

    /// One that is left out where there is nothing to say.
    static func may(_ name: String, _ schema: JSONValue, _ text: String) -> Field {
      Field(name: name, schema: schema.describing(text), isRequired: false)
    }
  }

  /// An object with these fields. One that is sent by clients is closed: it has no others.
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

  /// Text, as an example has it.
  static func text(_ example: String? = nil, least: Int? = nil, most: Int? = nil, pattern: String? = nil) -> JSONValue {
    var schema: [String: JSONValue] = ["type": "string"]
    if let example { schema["examples"] = [.string(example)] }
    if let least { schema["minLength"] = .number("\(least)") }
    if let most { schema["maxLength"] = .number("\(most)") }
    if let pattern { schema["pattern"] = .string(pattern) }
    return .object(schema)
  }

  /// One of these words.
  static func word(_ words: [String]) -> JSONValue {
    ["type": "string", "enum": .array(words.map { .string($0) })]
  }

  /// A whole number in a range.
  static func integer(_ range: ClosedRange<Int>? = nil, example: Int? = nil) -> JSONValue {
    var schema: [String: JSONValue] = ["type": "integer"]
    if let range {
      schema["minimum"] = .number("\(range.lowerBound)")
      if range.upperBound < .max { schema["maximum"] = .number("\(range.upperBound)") }
    }
    if let example { schema["examples"] = [.number("\(example)")] }
    return .object(schema)
  }

  /// `true` or `false`.
  static let flag: JSONValue = ["type": "boolean"]

  /// A list.
  static func list(of items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

  /// Another schema by its name.
  static func ref(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

  /// A moment.
  static let moment = ref("Timestamp")
}

extension JSONValue {
  /// This schema with a description.
  fileprivate func describing(_ text: String) -> JSONValue { setting("description", .string(text)) }

  /// This object with one more member; anything else stays as it is.
  func setting(_ key: String, _ value: JSONValue) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members[key] = value
    return .object(members)
  }
}
