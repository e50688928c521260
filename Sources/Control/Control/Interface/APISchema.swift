package import JSON

/// A set of builders for JSON Schema (2020-12, as used by OpenAPI 3.1).
package enum APISchema {
  /// The schema of `true` and `false`.
  package static let flag: JSONValue = ["type": "boolean"]

  /// Returns the schema of a text.
  ///
  /// - Parameters:
  ///   - example: An example; nil for none.
  ///   - least: The minimum number of characters; nil for no bound.
  ///   - most: The maximum number of characters; nil for no bound.
  ///   - pattern: The regular expression that the text matches; nil for none.
  /// - Returns: The schema.
  package static func text(
    _ example: String? = nil, least: Int? = nil, most: Int? = nil, pattern: String? = nil
  ) -> JSONValue {
    var schema: [String: JSONValue] = ["type": "string"]
    if let example { schema["examples"] = [.string(example)] }
    if let least { schema["minLength"] = .number("\(least)") }
    if let most { schema["maxLength"] = .number("\(most)") }
    if let pattern { schema["pattern"] = .string(pattern) }
    return .object(schema)
  }

  /// Returns the schema of a text that is one of these words.
  package static func word(_ words: [String]) -> JSONValue {
    ["type": "string", "enum": .array(words.map { .string($0) })]
  }

  /// Returns the schema of a whole number.
  ///
  /// - Parameters:
  ///   - range: The range; its upper bound is left out if it is `Int.max`.
  ///   - example: An example; nil for none.
  /// - Returns: The schema.
  package static func integer(_ range: ClosedRange<Int>? = nil, example: Int? = nil) -> JSONValue {
    var schema: [String: JSONValue] = ["type": "integer"]
    if let range {
      schema["minimum"] = .number("\(range.lowerBound)")
      if range.upperBound < .max { schema["maximum"] = .number("\(range.upperBound)") }
    }
    if let example { schema["examples"] = [.number("\(example)")] }
    return .object(schema)
  }

  /// Returns the schema of a list.
  package static func list(of items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

  /// Returns a reference to a schema by its name.
  package static func ref(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }
}

extension JSONValue {
  /// Returns this object with one more member; any other value is returned unchanged.
  package func setting(_ key: String, _ value: JSONValue) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members[key] = value
    return .object(members)
  }

  /// Returns this object with the members of another one, which take precedence.
  func setting(_ others: JSONValue) -> JSONValue {
    guard case .object(let members) = self, case .object(let added) = others else { return self }
    return .object(members.merging(added) { $1 })
  }
}
