package import JSON

/// A field of an object of the interface.
package struct InterfaceField: Sendable {
  /// The name in JSON.
  package let name: String
  /// The JSON Schema of the value, with the description of the field.
  package let schema: JSONValue
  /// Whether the field is always present.
  package let isRequired: Bool

  /// The words or whole numbers that the value can be; nil if the schema lists none.
  package var choices: [String]? {
    guard case .array(let choices)? = schema["enum"] else { return nil }
    return choices.compactMap { $0.text ?? $0.integer.map(String.init) }
  }

  /// The limit in words, as in "from 1 to 600" or "0, 90 or 180"; nil if there is none.
  package var limit: String? {
    if let choices { return choices.listed("or") }
    guard let least = schema["minimum"]?.double, let most = schema["maximum"]?.double else { return nil }
    return "from \(Self.words(least)) to \(Self.words(most))"
  }

  /// Returns whether a number or a word is within the limits.
  func accepts(_ value: JSONValue) -> Bool {
    if let choices { return (value.text ?? value.integer.map(String.init)).map(choices.contains) ?? true }
    guard let number = value.double else { return true }
    return number >= schema["minimum"]?.double ?? number && number <= schema["maximum"]?.double ?? number
  }

  /// Returns whether a number is within the limits.
  package func accepts(_ number: Int) -> Bool { accepts(.number("\(number)")) }

  /// Returns the type that a value should have; nil if it has it, or if decoding checks it.
  private func mismatch(_ value: JSONValue) -> String? {
    switch (schema["type"]?.text, value) {
    case ("string", .string), ("boolean", .bool): nil
    case ("string", _): "a string"
    case ("boolean", _): "true or false"
    case ("integer", _): value.integer == nil ? "a whole number, or is too large" : nil
    case ("number", _): value.double == nil ? "a number" : nil
    default: nil
    }
  }

  /// Checks the type and the limits of a value.
  ///
  /// - Parameter value: The value.
  /// - Throws: `ControlError` of kind `invalid` that names the field and the value.
  func check(_ value: JSONValue) throws(ControlError) {
    if value == .null { throw ControlError(.invalid, "The field \(name) is null: omit it, or give it a value.") }
    if let type = mismatch(value) { throw ControlError(.invalid, "The field \(name) is not \(type).") }
    if let text = value.text, text.isEmpty, schema["minLength"] != nil || schema["pattern"] != nil {
      throw ControlError(.invalid, "The field \(name) is empty: omit it, or give it a value.")
    }
    if let text = value.text, let most = schema["maxLength"]?.integer, text.unicodeScalars.count > most {
      let count = text.unicodeScalars.count
      throw ControlError(.invalid, "The field \(name) has \(count) characters: it may have at most \(most).")
    }
    guard let limit, !accepts(value) else { return }
    let given = value.text ?? String(decoding: value.encoded, as: UTF8.self)
    throw ControlError(.invalid, "The field \(name) is \(given): it must be \(limit).")
  }

  private static func words(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? String(number)
  }
}

/// An addition to the schema of a field's type.
struct SchemaPart {
  private let change: @Sendable (JSONValue) -> JSONValue

  init(_ change: @escaping @Sendable (JSONValue) -> JSONValue) { self.change = change }

  /// Returns the schema with the addition.
  func applied(to schema: JSONValue) -> JSONValue { change(schema) }

  /// Returns several additions as one.
  static func all(_ parts: SchemaPart...) -> SchemaPart {
    SchemaPart { schema in parts.reduce(schema) { $1.applied(to: $0) } }
  }

  /// The text has at least one character.
  static let notEmpty = SchemaPart { $0.setting("minLength", 1) }
  /// The number is an ID, which counts from 1.
  static let id = SchemaPart { $0.setting("minimum", 1) }
  /// The number is a size or a count.
  static let count = SchemaPart { $0.setting("minimum", 0) }
  /// The number is a fraction.
  static let fraction = SchemaPart { $0.setting("minimum", 0).setting("maximum", 1) }
  /// The value is a scene, and its schema that of scenes.
  static let scene = SchemaPart { _ in APISchema.ref("scene") }

  /// Returns the limit of a whole number to a range.
  static func range(_ range: ClosedRange<Int>) -> SchemaPart {
    SchemaPart { $0.setting(APISchema.integer(range)) }
  }

  /// Returns the limit of a whole number to some values.
  static func values(_ values: [Int]) -> SchemaPart {
    SchemaPart { $0.setting("enum", .array(values.map { .number("\($0)") })) }
  }

  /// Returns the limit of a text to a regular expression.
  static func pattern(_ pattern: String) -> SchemaPart { SchemaPart { $0.setting("pattern", .string(pattern)) } }

  /// Returns the limits of a text's length, in characters.
  static func length(_ range: ClosedRange<Int>) -> SchemaPart {
    SchemaPart {
      $0.setting("minLength", .number("\(range.lowerBound)")).setting("maxLength", .number("\(range.upperBound)"))
    }
  }

  /// Returns the declaration that a text contains bytes in an encoding.
  static func encoding(_ name: String) -> SchemaPart { SchemaPart { $0.setting("contentEncoding", .string(name)) } }

  /// Returns an example of the text, or of an element of a list.
  static func example(_ text: String) -> SchemaPart { example(of: .string(text)) }

  /// Returns an example of the number.
  static func example(_ number: Int) -> SchemaPart { example(of: .number("\(number)")) }

  private static func example(of value: JSONValue) -> SchemaPart {
    SchemaPart { schema in
      guard let items = schema["items"] else { return schema.setting("examples", [value]) }
      return schema.setting("items", items.setting("examples", [value]))
    }
  }
}

extension [String] {
  /// Returns the elements with commas, and with a word such as "or" before the last one.
  func listed(_ word: String) -> String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " \(word) \(self[count - 1])"
  }
}
