/// An encoder that builds a JSON value.
///
/// Here and in the containers, one generic `encode` satisfies all protocol requirements, including those for scalars.
struct ValueEncoder: Encoder, SingleValueEncodingContainer {
  /// The value built so far.
  let draft: Draft
  /// The path to the value.
  let path: CodingPath

  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Encodes a value as JSON; a value that encodes nothing becomes an empty object.
  static func json(of value: some Encodable, at path: CodingPath) throws -> JSONValue {
    guard let scalar = value as? any JSONScalar else {
      let encoder = ValueEncoder(draft: Draft(), path: path)
      try value.encode(to: encoder)
      return encoder.draft.json
    }
    if let json = scalar.json { return json }
    let context = EncodingError.Context(codingPath: path.keys, debugDescription: "JSON has no number for \(scalar).")
    throw EncodingError.invalidValue(value, context)
  }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    draft.members = draft.members ?? [:]
    return KeyedEncodingContainer(MemberWriter(draft: draft, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    draft.elements = draft.elements ?? []
    return ElementWriter(draft: draft, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { draft.whole = .null }

  func encode<T: Encodable>(_ value: T) throws { draft.whole = try Self.json(of: value, at: path) }
}

/// A value under construction, shared with the containers, which write to it after they are returned.
final class Draft {
  /// The value, if it was encoded as a whole.
  var whole: JSONValue?
  /// The elements; nil until an unkeyed container is requested.
  var elements: [Draft]?
  /// The members; nil until a keyed container is requested.
  var members: [String: Draft]?

  init(_ whole: JSONValue? = nil) { self.whole = whole }

  /// The value so far: members take precedence over elements, and elements over a whole value.
  var json: JSONValue {
    if let members { return .object(members.mapValues(\.json)) }
    if let elements { return .array(elements.map(\.json)) }
    return whole ?? .object([:])
  }
}

/// A writer of the members of an object.
private struct MemberWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let draft: Draft
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { draft.members?[key.stringValue] = Draft(.null) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let member = Draft(try ValueEncoder.json(of: value, at: CodingPath(outer: codingPath, key: key)))
    draft.members?[key.stringValue] = member
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    open(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { open(key).unkeyedContainer() }

  func superEncoder() -> any Encoder { open(PlainKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { open(key) }

  /// Returns an encoder for a member, which shares the draft of an earlier one for the same key.
  private func open(_ key: any CodingKey) -> ValueEncoder {
    let path = CodingPath(outer: codingPath, key: key)
    let member = draft.members?[key.stringValue] ?? Draft()
    draft.members?[key.stringValue] = member
    return ValueEncoder(draft: member, path: path)
  }
}

/// A writer of the elements of an array.
private struct ElementWriter: UnkeyedEncodingContainer {
  let draft: Draft
  let codingPath: [any CodingKey]

  var count: Int { draft.elements?.count ?? 0 }

  func encodeNil() { draft.elements?.append(Draft(.null)) }

  func encode<T: Encodable>(_ value: T) throws {
    let element = Draft(try ValueEncoder.json(of: value, at: nextPath))
    draft.elements?.append(element)
  }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    open().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { open().unkeyedContainer() }

  func superEncoder() -> any Encoder { open() }

  private var nextPath: CodingPath { CodingPath(outer: codingPath, key: PlainKey.index(count)) }

  private func open() -> ValueEncoder {
    let encoder = ValueEncoder(draft: Draft(), path: nextPath)
    draft.elements?.append(encoder.draft)
    return encoder
  }
}
