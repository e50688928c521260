/// A decoder that reads a type from a JSON value.
///
/// Here and in the containers, one generic `decode` satisfies all protocol requirements, including those for scalars.
struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  /// The value to read.
  let value: JSONValue
  /// The path to the value.
  let path: CodingPath

  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(MemberReader(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([Any].self) }
    return ElementReader(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let scalar = type as? any JSONScalar.Type else { return try T(from: self) }
    guard let result = scalar.init(json: value) as? T else { throw mismatch(type) }
    return result
  }

  private func mismatch(_ type: any Any.Type) -> DecodingError {
    let sentence = "Expected \(type), found \(value.kind)."
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: sentence)
    return switch value {
    case .null: .valueNotFound(type, context)
    case .number where type is any Numeric.Type: .dataCorrupted(context)
    default: .typeMismatch(type, context)
    }
  }
}

/// A reader of the members of an object.
private struct MemberReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: JSONValue]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try member(key).decode(type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { optional(PlainKey.super) }

  func superDecoder(forKey key: Key) -> any Decoder { optional(key) }

  private func member(_ key: Key) throws(DecodingError) -> ValueDecoder {
    if contains(key) { return optional(key) }
    let sentence = "The key \(key.stringValue) is missing."
    throw .keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: sentence))
  }

  private func optional(_ key: any CodingKey) -> ValueDecoder {
    ValueDecoder(value: members[key.stringValue] ?? .null, path: CodingPath(outer: codingPath, key: key))
  }
}

/// A sequential reader of the elements of an array; a failed read does not advance it.
private struct ElementReader: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(elements: [JSONValue], codingPath: [any CodingKey]) {
    self.elements = elements
    self.codingPath = codingPath
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    let isNil = try element(Never?.self).decodeNil()
    if isNil { currentIndex += 1 }
    return isNil
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try readNext(type) { try $0.decode(type) } }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try readNext([String: Any].self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try readNext([Any].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try readNext((any Decoder).self) { $0 } }

  private mutating func readNext<T>(_ type: any Any.Type, _ read: (ValueDecoder) throws -> T) throws -> T {
    let result = try read(element(type))
    currentIndex += 1
    return result
  }

  private func element(_ type: any Any.Type) throws(DecodingError) -> ValueDecoder {
    let path = CodingPath(outer: codingPath, key: PlainKey.index(currentIndex))
    if !isAtEnd { return ValueDecoder(value: elements[currentIndex], path: path) }
    let sentence = "Expected \(type), but the array has only \(elements.count) elements."
    throw .valueNotFound(type, DecodingError.Context(codingPath: path.keys, debugDescription: sentence))
  }
}
