import JSON

/// How a value stands in a document: one description to read it, to write it and to tell others about it.
struct Form<Value: Sendable>: Sendable {
  /// What a person calls it, "text".
  let name: String
  /// Which JSON it is, in the words of JSON Schema.
  let schema: JSONValue
  /// The value of what stands in a document.
  let read: @Sendable (JSONValue) throws(DocumentError) -> Value
  /// What is to stand in a document, which is read as the same value again.
  let write: @Sendable (Value) -> JSONValue
}

/// A field of an object: its key, and where a record keeps it.
struct Field<Record: Sendable>: Sendable {
  let key: String
  let isRequired: Bool
  let schema: JSONValue
  /// Puts the member of this key into the record; nil is one that is left out.
  let read: @Sendable (JSONValue?, inout Record) throws(DocumentError) -> Void
  /// The member of this key; nil for one to leave out.
  let write: @Sendable (Record) -> JSONValue?

  /// Where a record keeps a value.
  typealias Path<Value> = any WritableKeyPath<Record, Value> & Sendable

  /// A field that must be given.
  static func required<Value>(
    _ key: String, _ place: Path<Value>, _ form: Form<Value>, _ meaning: String
  ) -> Field {
    Field(
      key: key, isRequired: true, schema: form.schema(meaning: meaning),
      read: { member, record throws(DocumentError) in
        guard let member else { throw DocumentError(reason: "is missing: it is \(form.name), \(meaning)") }
        record[keyPath: place] = try form.read(member)
      },
      write: { form.write($0[keyPath: place]) })
  }

  /// A field that may be left out, for nothing.
  static func optional<Value>(
    _ key: String, _ place: Path<Value?>, _ form: Form<Value>, _ meaning: String
  ) -> Field {
    Field(
      key: key, isRequired: false, schema: form.schema(meaning: meaning),
      read: { member, record throws(DocumentError) in
        guard let member else { return record[keyPath: place] = nil }
        record[keyPath: place] = try form.read(member)
      },
      write: { $0[keyPath: place].map(form.write) })
  }

  /// A field that may be left out, for a value that it then has.
  static func optional<Value: Equatable>(
    _ key: String, _ place: Path<Value>, _ form: Form<Value>, or usual: Value,
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

  /// The same field of a record that this one is a part of.
  func of<Whole>(_ part: Field<Whole>.Path<Record>) -> Field<Whole> {
    Field<Whole>(
      key: key, isRequired: isRequired, schema: schema,
      read: { member, whole throws(DocumentError) in try read(member, &whole[keyPath: part]) },
      write: { write($0[keyPath: part]) })
  }
}

extension Form {
  /// An object with these fields and no others.
  static func object(_ name: String, from empty: Value, _ fields: [Field<Value>]) -> Form {
    let keys = fields.map(\.key)
    return Form(
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
        return record
      },
      write: { record in
        .object(Dictionary(fields.compactMap { field in field.write(record).map { (field.key, $0) } }) { $1 })
      })
  }

  /// An array of so many at most.
  static func list<Element>(of form: Form<Element>, most: Int) -> Form where Value == [Element] {
    Form(
      name: "an array",
      schema: ["type": "array", "items": form.schema, "maxItems": .number("\(most)")],
      read: { json throws(DocumentError) in
        guard case .array(let elements) = json else { throw .mismatch("an array", json) }
        guard elements.count <= most else {
          throw DocumentError(reason: "has \(elements.count) elements: at most \(most) are shown")
        }
        var values: [Element] = []
        for (place, element) in elements.enumerated() {
          try located("[\(place)]") { () throws(DocumentError) in values.append(try form.read(element)) }
        }
        return values
      },
      write: { .array($0.map(form.write)) })
  }

  /// The same form, whose schema is elsewhere.
  func referred(to definition: String) -> Form {
    Form(name: name, schema: ["$ref": .string("#/$defs/\(definition)")], read: read, write: write)
  }

  /// The schema with what a field of this form means, and what it is where it is left out.
  func schema(meaning: String, usual: JSONValue? = nil) -> JSONValue {
    guard case .object(var members) = schema else { return schema }
    members["description"] = .string(meaning)
    members["default"] = usual
    return .object(members)
  }
}

/// Does something with what stands at a place, which its errors name then.
private func located(_ place: String, _ body: () throws(DocumentError) -> Void) throws(DocumentError) {
  do { try body() } catch { throw error.inside(place) }
}

extension DocumentError {
  /// Another kind of JSON than wanted.
  static func mismatch(_ wanted: String, _ found: JSONValue) -> DocumentError {
    DocumentError(reason: "must be \(wanted), but this is \(found.kind)")
  }

  /// A field that there is none of.
  static func unknown(_ key: String, of name: String, _ known: [String]) -> DocumentError {
    let isPlain = key.utf8.count <= 60 && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    return DocumentError(
      path: isPlain ? key : quote(key), reason: "is no field of \(name): \(guess(key, known, "it has "))")
  }

  /// What may have been meant by a word, or else all that it could be.
  static func guess(_ word: String, _ known: [String], _ prefix: String = "it is one of ") -> String {
    if let near = Spelling.nearest(to: word, in: known) { return "did you mean `\(near)`?" }
    return prefix + known.map { "`\($0)`" }.joined(separator: ", ")
  }
}
