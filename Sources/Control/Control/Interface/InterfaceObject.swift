package import JSON

/// A request, a report or a part of one, whose fields are declared once.
///
/// The schema, the checks and the error texts derive from `interface`. A test compares it with what `Codable` reads and
/// writes.
package protocol InterfaceObject: InterfaceValue {
  /// The description of the object.
  static var interface: Interface { get }
}

extension InterfaceObject {
  package static var schema: JSONValue {
    interface.isPart ? interface.schema : APISchema.ref(interface.name)
  }

  /// Returns the description of a field.
  ///
  /// - Parameters:
  ///   - name: The name in JSON.
  ///   - path: The property, whose type determines the schema and whether the field can be absent.
  ///   - text: The description, in a sentence.
  ///   - parts: The limits and examples.
  /// - Returns: The field.
  static func field<Value: InterfaceValue>(
    _ name: String, _ path: KeyPath<Self, Value>, _ text: String, _ parts: SchemaPart...
  ) -> InterfaceField {
    let schema = parts.reduce(Value.schema) { $1.applied(to: $0) }
    return InterfaceField(
      name: name, schema: schema.setting("description", .string(text)), isRequired: !Value.isOptional)
  }

  /// Checks the values against the limits and rules of `interface`.
  ///
  /// - Throws: `ControlError` of kind `invalid` that names the field, the value and what it can be.
  package func check() throws(ControlError) {
    guard let bytes = try? JSON.encode(self), case .object(let members)? = try? JSONValue(parsing: bytes) else {
      return
    }
    try Self.interface.check(members)
  }
}

extension InterfaceObject {
  /// The error for values that `check` refuses.
  package var refusal: ControlError {
    do {
      try check()
      return ControlError(.invalid, "\(Self.interface.noun) has an invalid combination of fields.")
    } catch {
      return error
    }
  }
}

/// The description of an object of the interface.
package struct Interface: Sendable {
  /// The name of the schema.
  package let name: String
  /// The description, in a sentence.
  package let text: String
  /// The subject of sentences about a request, such as `A message`.
  package let noun: String
  /// A remark after `noun` in the sentence that lists the fields; empty for none.
  var remark = ""
  /// The fields, in the order in which sentences list them.
  package private(set) var fields: [InterfaceField]
  /// The rules that concern several fields.
  package let rules: [FieldRule]
  /// Whether the object is a request, which can have no other fields.
  let isRequest: Bool
  /// Whether the schema is part of another one instead of a reference.
  let isPart: Bool

  /// Returns the description of a request.
  ///
  /// - Parameters:
  ///   - name: The name of the schema.
  ///   - noun: The subject of sentences about it.
  ///   - text: The description, in a sentence.
  ///   - fields: The fields.
  ///   - rules: The rules that concern several fields.
  /// - Returns: The description.
  static func request(
    _ name: String, noun: String, _ text: String, _ fields: [InterfaceField], _ rules: [FieldRule] = []
  ) -> Interface {
    Interface(name: name, text: text, noun: noun, fields: fields, rules: rules, isRequest: true, isPart: false)
  }

  /// Returns the description of a report that other schemas refer to.
  static func report(_ name: String, _ text: String, _ fields: [InterfaceField]) -> Interface {
    Interface(name: name, text: text, noun: "", fields: fields, rules: [], isRequest: false, isPart: false)
  }

  /// Returns the description of a part of a report.
  static func part(_ text: String, _ fields: [InterfaceField]) -> Interface {
    Interface(name: "", text: text, noun: "", fields: fields, rules: [], isRequest: false, isPart: true)
  }

  /// Returns the description of a request with some of the fields, and with the rules that concern only these.
  func limited(to names: [String], _ name: String, noun: String, remark: String = "", _ text: String) -> Interface {
    var limited = Interface.request(
      name, noun: noun, text, fields.filter { names.contains($0.name) },
      rules.filter { $0.groups.joined().allSatisfy(names.contains) })
    limited.remark = remark
    return limited
  }

  /// Returns this description with another text of a field.
  func describing(_ name: String, _ text: String) -> Interface {
    var other = self
    other.fields = fields.map { field in
      field.name == name
        ? InterfaceField(
          name: name, schema: field.schema.setting("description", .string(text)), isRequired: field.isRequired)
        : field
    }
    return other
  }

  /// The JSON Schema of the object.
  package var schema: JSONValue {
    var schema = rules.reduce(JSONValue.object([:])) { $0.setting($1.schema) }
      .setting("type", "object").setting("description", .string(text))
      .setting("properties", .object(Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.schema) })))
    let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema = schema.setting("required", .array(required)) }
    return isRequest ? schema.setting("additionalProperties", false) : schema
  }

  /// Returns the field with a name, or nil.
  package subscript(name: String) -> InterfaceField? { fields.first { $0.name == name } }

  /// Checks the members of an object: their names, types and limits, and the rules.
  ///
  /// - Parameter members: The members.
  /// - Throws: `ControlError` of kind `invalid` that names the field, the value and what it can be.
  package func check(_ members: [String: JSONValue]) throws(ControlError) {
    let unknown = members.keys.filter { self[$0] == nil }.sorted()
    guard unknown.isEmpty else {
      throw ControlError(.invalid, "\(known), but not \(unknown.joined(separator: ", ")): check the spelling.")
    }
    for field in fields {
      if let value = members[field.name] { try field.check(value) }
    }
    if let missing = fields.first(where: { $0.isRequired && members[$0.name] == nil }) {
      throw ControlError(.invalid, "The field \(missing.name) is missing. \(known).")
    }
    for rule in rules { try rule.check(members.keys, noun) }
  }

  /// The sentence that lists the fields, without its period.
  package var known: String { "\(noun)\(remark) has the fields \(fields.map(\.name).joined(separator: ", "))" }
}
