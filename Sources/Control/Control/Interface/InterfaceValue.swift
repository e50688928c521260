package import JSON

/// A type that the fields of the interface can have.
package protocol InterfaceValue: Codable, Sendable {
  /// The JSON Schema of the values.
  static var schema: JSONValue { get }
  /// Whether a field of this type can be absent.
  static var isOptional: Bool { get }
}

extension InterfaceValue {
  package static var isOptional: Bool { false }
}

extension String: InterfaceValue {
  package static var schema: JSONValue { APISchema.text() }
}

extension Bool: InterfaceValue {
  package static var schema: JSONValue { APISchema.flag }
}

extension Int: InterfaceValue {
  package static var schema: JSONValue { APISchema.integer() }
}

extension Int32: InterfaceValue {
  package static var schema: JSONValue { APISchema.integer() }
}

extension Int64: InterfaceValue {
  package static var schema: JSONValue { APISchema.integer() }
}

extension UInt64: InterfaceValue {
  package static var schema: JSONValue { APISchema.integer(0...Int.max) }
}

extension Double: InterfaceValue {
  package static var schema: JSONValue { ["type": "number"] }
}

/// A scene document.
extension JSONValue: InterfaceValue {
  package static var schema: JSONValue { APISchema.ref("SceneDocument") }
}

extension Optional: InterfaceValue where Wrapped: InterfaceValue {
  package static var schema: JSONValue { Wrapped.schema }
  package static var isOptional: Bool { true }
}

extension Array: InterfaceValue where Element: InterfaceValue {
  package static var schema: JSONValue { APISchema.list(of: Element.schema) }
}

extension Dictionary: InterfaceValue where Key == String, Value: InterfaceValue {
  package static var schema: JSONValue { ["type": "object", "additionalProperties": Value.schema] }
}

extension InterfaceValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  package static var schema: JSONValue { APISchema.word(allCases.map(\.rawValue)) }
}
