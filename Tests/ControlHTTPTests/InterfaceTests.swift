import Control
import JSON
import Testing

@testable import ControlHTTP

/// The descriptions of the interface, compared with what `Codable` reads.
struct InterfaceTests {
  private static let parts: [any InterfaceObject.Type] = [
    WhyReport.Verdict.self, DoctorReport.Finding.self, VirtualReport.Choice.self, MessageReport.Showing.self,
    Cover.self, LegibilityReport.self,
    ClearReport.Removed.self, ClearReport.Remaining.self, BoardReport.OpenCard.self, Backup.Record.self,
    Backup.Image.self,
  ]
  private static let types = InterfaceCatalog.types + parts

  @Test(arguments: types.indices)
  func `a description has the fields that are decoded, and the same ones are optional`(_ index: Int) throws {
    let type = Self.types[index]
    let decoder = FieldRecorder()
    _ = try type.init(from: decoder)
    let described = Dictionary(uniqueKeysWithValues: type.interface.fields.map { ($0.name, $0.isRequired) })
    #expect(described == decoder.fields.isRequired, "\(type)")
  }

  @Test func `the descriptions of parts are those of the tested types`() {
    // An object inside the schema of another one is a part; its description is a sentence that identifies it.
    func parts(of schema: JSONValue) -> Set<String> {
      switch schema {
      case .object(let members):
        let own = members["type"]?.text == "object" ? members["description"]?.text.map { [$0] } ?? [] : []
        return members.values.reduce(into: Set(own)) { $0.formUnion(parts(of: $1)) }
      case .array(let elements): return elements.reduce(into: []) { $0.formUnion(parts(of: $1)) }
      default: return []
      }
    }
    let described = InterfaceCatalog.types.reduce(into: Set<String>()) { all, type in
      for field in type.interface.fields { all.formUnion(parts(of: field.schema["items"] ?? .null)) }
    }
    #expect(described == Set(Self.parts.map { $0.interface.text }))
  }

  @Test func `a request is refused with the field, the value and what it can be`() {
    func refusal(_ request: some InterfaceObject) -> String {
      do {
        try request.check()
        return "none"
      } catch {
        return error.message
      }
    }
    #expect(refusal(MessageRequest(text: "a", priority: 100, seconds: 1)) == "none")
    #expect(
      refusal(MessageRequest(text: "a", priority: 101)) == "The field priority is 101: it must be from -100 to 100.")
    #expect(refusal(MessageRequest()) == "A message needs text or scene: send one of these fields.")
    #expect(
      refusal(MessageRequest(text: "a", scene: .null)) == "The field scene is null: omit it, or give it a value.")
    #expect(
      refusal(MessageRequest(text: "a", scene: [:])) == "A message has text and scene: send only text or scene.")
    #expect(
      refusal(MessageRequest(text: "a", display: "b", role: .internal, tag: "c"))
        == "A message has display, role and tag: send only display, role or tag.")
    #expect(refusal(MessageRequest(text: "a", tag: "")) == "The field tag is empty: omit it, or give it a value.")
    // JSON Schema counts code points.
    let unit = String(repeating: "e\u{301}", count: 10)
    #expect(refusal(ValueRequest(value: .number("21.5"), unit: unit)) == "none")
    #expect(
      refusal(ValueRequest(value: .number("21.5"), unit: unit + "m"))
        == "The field unit has 21 characters: it may have at most 20.")
    #expect(
      refusal(ModeRequest(rotation: 45)) == "The field rotation is 45: it must be 0, 90, 180 or 270.")
    #expect(
      refusal(ModeRequest(keep: true))
        == "A request for a mode needs mode or rotation: send at least one of these fields.")
    #expect(refusal(ScrollRequest.position(1.5)) == "The field position is 1.5: it must be from 0 to 1.")
    #expect(
      refusal(PlugRequest(width: 640)) == "A virtual monitor needs width and height, or edid: send one of these.")
    #expect(
      refusal(PlugRequest(width: 640, height: 480, edid: "a"))
        == "A virtual monitor has width, height and edid: send only width and height, or edid.")
  }
}

/// A decoder that records which fields a type reads, and answers each of them.
private final class FieldRecorder: Decoder {
  final class Fields {
    var isRequired: [String: Bool] = [:]
  }

  let fields = Fields()
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed<Key>(fields: fields))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unsupported() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { Single() }

  struct Unsupported: Error {}

  /// Returns a value of a type, whose own fields are not recorded.
  static func value<Value: Decodable>(_: Value.Type) throws -> Value {
    if let list = [] as [Any] as? Value { return list }
    if let table = [:] as [String: Int] as? Value { return table }
    if let cases = Value.self as? any CaseIterable.Type, let first = first(cases) as? Value { return first }
    return try Value(from: FieldRecorder())
  }

  private static func first<Cases: CaseIterable>(_: Cases.Type) -> Any? { Cases.allCases.first }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: Fields
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      fields.isRequired[key.stringValue] = true
      return try FieldRecorder.value(type)
    }

    func decodeIfPresent<Value: Decodable>(_: Value.Type, forKey key: Key) throws -> Value? {
      fields.isRequired[key.stringValue] = false
      return nil
    }

    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? { absent(key) }
    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? { absent(key) }
    func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? { absent(key) }
    func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { absent(key) }
    func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { absent(key) }

    private func absent<Value>(_ key: Key) -> Value? {
      fields.isRequired[key.stringValue] = false
      return nil
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw Unsupported() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw Unsupported() }
    func superDecoder() throws -> any Decoder { throw Unsupported() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw Unsupported() }
  }

  private struct Single: SingleValueDecodingContainer {
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { true }
    func decode(_: Bool.Type) -> Bool { true }
    func decode(_: String.Type) -> String { "" }
    func decode(_: Double.Type) -> Double { 0 }
    func decode(_: Float.Type) -> Float { 0 }
    func decode(_: Int.Type) -> Int { 0 }
    func decode(_: Int8.Type) -> Int8 { 0 }
    func decode(_: Int16.Type) -> Int16 { 0 }
    func decode(_: Int32.Type) -> Int32 { 0 }
    func decode(_: Int64.Type) -> Int64 { 0 }
    func decode(_: UInt.Type) -> UInt { 0 }
    func decode(_: UInt8.Type) -> UInt8 { 0 }
    func decode(_: UInt16.Type) -> UInt16 { 0 }
    func decode(_: UInt32.Type) -> UInt32 { 0 }
    func decode(_: UInt64.Type) -> UInt64 { 0 }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try FieldRecorder.value(type) }
  }
}
