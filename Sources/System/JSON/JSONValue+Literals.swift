extension JSONValue: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// Creates a number from an integer.
  public init(integerLiteral number: Int) { self = .number("\(number)") }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  /// Creates `true` or `false`.
  public init(booleanLiteral isTrue: Bool) { self = .bool(isTrue) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  /// Creates an array such as `[1, 2]`.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// Creates an object such as `{"key": 1}`; the first of several equal keys counts.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(Dictionary(members) { first, _ in first })
  }
}
