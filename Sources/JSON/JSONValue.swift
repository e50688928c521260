/// A JSON text's content, for what is too free for a type of its own.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number as it is written, so that none of it is lost before its type is known.
  case number(String)
  /// Text, without quotes and escapes.
  case string(String)
  /// `[1, 2]`.
  case array([JSONValue])
  /// `{"key": 1}`.
  case object([String: JSONValue])

  /// What a person calls it.
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number(let text): "the number \(text.prefix(40))"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue {
  /// The content of one JSON text (see `JSON.decode`).
  public init(parsing bytes: some Collection<UInt8>) throws(DecodingError) {
    self = try JSONParser.parse(Array(bytes))
  }

  /// The text, in one line, keys in the order of their code points.
  public var encoded: [UInt8] { JSONWriter.write(self, isPretty: false) }

  /// The text over several lines, indented by two spaces.
  public var prettyEncoded: [UInt8] { JSONWriter.write(self, isPretty: true) }

  /// The member of an object; nil for anything else.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  /// The text of a string; nil for anything else.
  public var text: String? { String(json: self) }

  /// The value of a whole number; nil for anything else.
  public var integer: Int? { Int(json: self) }

  /// The value of a number; nil for anything else, and for what a double does not hold.
  public var double: Double? { Double(json: self) }

  /// A finite number; null for any other.
  public init(_ number: Double) { self = number.json ?? .null }
}

/// A value stands for itself. With JSON's coders none of it is lost; other coders' numbers go through `Int` or `Double`.
extension JSONValue: Codable {
  /// Any value of a coder that has JSON's kinds.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let number = try? container.decode(Int.self) {
      self = .number(String(number))
    } else if let number = try? container.decode(Double.self).json {
      self = number
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let elements = try? container.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// The value as one of the coder's own.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let text):
      if let number = Int(text) { try container.encode(number) } else { try container.encode(Double(text)) }
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}

extension JSONValue: JSONScalar {
  init?(json: JSONValue) { self = json }

  var json: JSONValue? { self }
}
