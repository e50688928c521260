import JSON

/// A JSON codec for one type of value: its reader, its writer and its JSON Schema.
struct JSONCodec<Value: Sendable>: Sendable {
  /// The name of the type in error messages, such as "text".
  let name: String
  /// The JSON Schema of the value.
  let schema: JSONValue
  /// Reads the value from JSON.
  let read: @Sendable (JSONValue) throws(DocumentError) -> Value
  /// Writes the value as JSON, which `read` turns into an equal value.
  let write: @Sendable (Value) -> JSONValue
}

/// A field of an object: its key, and its location in a record.
struct Field<Record: Sendable>: Sendable {
  let key: String
  let isRequired: Bool
  let schema: JSONValue
  /// Reads the member with this key into the record; nil stands for a missing member.
  let read: @Sendable (JSONValue?, inout Record) throws(DocumentError) -> Void
  /// Writes the member with this key; nil omits it.
  let write: @Sendable (Record) -> JSONValue?

  /// The location of a value in a record.
  typealias Path<Value> = any WritableKeyPath<Record, Value> & Sendable

  /// Creates a required field.
  static func required<Value>(
    _ key: String, _ place: Path<Value>, _ form: JSONCodec<Value>, _ meaning: String
  ) -> Field {
    Field(
      key: key, isRequired: true, schema: form.schema(meaning: meaning),
      read: { member, record throws(DocumentError) in
        guard let member else { throw DocumentError(reason: "is missing: it must be \(form.name), \(meaning)") }
        record[keyPath: place] = try form.read(member)
      },
      write: { form.write($0[keyPath: place]) })
  }

  /// Creates an optional field that is nil if it is missing.
  static func optional<Value>(
    _ key: String, _ place: Path<Value?>, _ form: JSONCodec<Value>, _ meaning: String
  ) -> Field {
    Field(
      key: key, isRequired: false, schema: form.schema(meaning: meaning),
      read: { member, record throws(DocumentError) in
        guard let member else { return record[keyPath: place] = nil }
        record[keyPath: place] = try form.read(member)
      },
      write: { $0[keyPath: place].map(form.write) })
  }

  /// Creates an optional field with a default value, which is omitted when it is written.
  static func optional<Value: Equatable>(
    _ key: String, _ place: Path<Value>, _ form: JSONCodec<Value>, or usual: Value,
    _ meaning: String
  ) -> Field {
    Field(
      key: key, isRequired: false, schema: form.schema(meaning: meaning, usual: form.write(usual)),
      read: { member, record throws(DocumentError) in
        guard let member else { return record[keyPath: place] = usual }
        record[keyPath: place] = try form.read(member)
      },
      write: { $0[keyPath: place] == usual ? nil : form.write($0[keyPath: place]) })
  }

  /// Returns the same field for a record that contains this field's record as a part.
  func of<Whole>(_ part: Field<Whole>.Path<Record>) -> Field<Whole> {
    Field<Whole>(
      key: key, isRequired: isRequired, schema: schema,
      read: { member, whole throws(DocumentError) in try read(member, &whole[keyPath: part]) },
      write: { write($0[keyPath: part]) })
  }
}

extension JSONCodec {
  /// Returns a codec for an object with exactly these fields, which can refuse a combination of their values.
  static func object(
    _ name: String, from empty: Value, _ fields: [Field<Value>],
    check: @escaping @Sendable (Value) throws(DocumentError) -> Void = { _ in }
  ) -> JSONCodec {
    let keys = fields.map(\.key)
    return JSONCodec(
      name: name,
      schema: [
        "type": "object",
        "properties": .object(Dictionary(fields.map { ($0.key, $0.schema) }) { first, _ in first }),
        "required": .array(fields.filter(\.isRequired).map { .string($0.key) }),
        "additionalProperties": false,
      ],
      read: { json throws(DocumentError) in
        guard case .object(let members) = json else { throw .mismatch(name, json) }
        if let unknown = members.keys.filter({ !keys.contains($0) }).min() { throw .unknown(unknown, of: name, keys) }
        var record = empty
        for field in fields {
          try located(field.key) { () throws(DocumentError) in try field.read(members[field.key], &record) }
        }
        try check(record)
        return record
      },
      write: { record in
        .object(Dictionary(fields.compactMap { field in field.write(record).map { (field.key, $0) } }) { $1 })
      })
  }

  /// Returns a codec for an array with at most `most` elements.
  static func list<Element>(of form: JSONCodec<Element>, most: Int) -> JSONCodec where Value == [Element] {
    JSONCodec(
      name: "an array",
      schema: ["type": "array", "items": form.schema, "maxItems": .number("\(most)")],
      read: { json throws(DocumentError) in
        guard case .array(let elements) = json else { throw .mismatch("an array", json) }
        guard elements.count <= most else {
          throw DocumentError(reason: "has \(elements.count) elements: it may have at most \(most)")
        }
        var values: [Element] = []
        for (place, element) in elements.enumerated() {
          try located("[\(place)]") { () throws(DocumentError) in values.append(try form.read(element)) }
        }
        return values
      },
      write: { .array($0.map(form.write)) })
  }

  /// Returns the codec with a schema that refers to a shared definition.
  func referred(to definition: String) -> JSONCodec {
    JSONCodec(name: name, schema: ["$ref": .string("#/$defs/\(definition)")], read: read, write: write)
  }

  /// Returns the schema of a field, with its description and default value added.
  func schema(meaning: String, usual: JSONValue? = nil) -> JSONValue {
    guard case .object(var members) = schema else { return schema }
    members["description"] = .string(meaning)
    members["default"] = usual
    return .object(members)
  }
}

/// Runs a closure and prefixes its errors with a location in the document.
private func located(_ place: String, _ body: () throws(DocumentError) -> Void) throws(DocumentError) {
  do { try body() } catch { throw error.inside(place) }
}

extension DocumentError {
  /// Returns the error for a JSON value of the wrong type.
  static func mismatch(_ wanted: String, _ found: JSONValue) -> DocumentError {
    DocumentError(reason: "must be \(wanted), but this is \(found.kind)")
  }

  /// Returns the error for an unknown field.
  static func unknown(_ key: String, of name: String, _ known: [String]) -> DocumentError {
    let isPlain = key.utf8.count <= 60 && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    return DocumentError(
      path: isPlain ? key : quote(key), reason: "is not a field of \(name): \(guess(key, known, "its fields are "))")
  }

  /// Returns a suggestion for an unknown word, or otherwise the list of all known words.
  static func guess(_ word: String, _ known: [String], _ prefix: String = "it must be one of ") -> String {
    if let near = Suggestion.nearest(to: word, in: known) { return "did you mean `\(near)`?" }
    return prefix + known.map { "`\($0)`" }.joined(separator: ", ")
  }
}
