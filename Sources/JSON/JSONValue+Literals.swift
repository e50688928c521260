extension JSONValue: ExpressibleByStringLiteral {
  /// Text.
  public init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral number: Int) { self = .number("\(number)") }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  /// `true` or `false`.
  public init(booleanLiteral isTrue: Bool) { self = .bool(isTrue) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  /// `[1, 2]`.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// `{"key": 1}`; of a key that is there twice the first counts.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(Dictionary(members) { first, _ in first })
  }
}
