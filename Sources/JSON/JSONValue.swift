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
  var kind: String {
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

  /// The member of an object; nil for anything else.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  /// The text of a string; nil for anything else.
  public var text: String? { String(json: self) }

  /// The value of a whole number; nil for anything else.
  public var integer: Int? { Int(json: self) }
}
