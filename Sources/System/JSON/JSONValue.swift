/// The content of a JSON text, for values that have no fixed type.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number in its original notation, so that no precision is lost before its type is known.
  case number(String)
  /// A string, without quotes and escapes.
  case string(String)
  /// An array such as `[1, 2]`.
  case array([JSONValue])
  /// An object such as `{"key": 1}`.
  case object([String: JSONValue])

  /// A description of the value's kind, for messages.
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
  /// Parses one JSON text (see `JSON.decode`).
  public init(parsing bytes: some Collection<UInt8>) throws(DecodingError) {
    self = try JSONParser.parse(Array(bytes))
  }

  /// The JSON text in one line, with keys in code point order.
  public var encoded: [UInt8] { JSONWriter.write(self, isPretty: false) }

  /// The JSON text over several lines, indented by two spaces.
  public var prettyEncoded: [UInt8] { JSONWriter.write(self, isPretty: true) }

  /// The member of an object; nil for other values and unknown keys.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  /// The elements of an array; nil for other values.
  public var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The content of a string; nil for other values.
  public var text: String? { String(json: self) }

  /// The value of a whole number; nil for other values and numbers that do not fit.
  public var integer: Int? { Int(json: self) }

  /// The value of a number; nil for other values and numbers outside the range of a double.
  public var double: Double? { Double(json: self) }

  /// Creates a number, or null if it is not finite.
  public init(_ number: Double) { self = number.json ?? .null }
}

/// A coding as the value itself, lossless with JSON's coders; other coders' numbers go through `Int` or `Double`.
extension JSONValue: Codable {
  /// Decodes any value from a coder that supports the kinds of JSON.
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

  /// Encodes the value as the corresponding value of the coder.
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
