/// A value of a TOML text, with the line on which it starts.
struct TOMLNode: Hashable, Sendable {
  /// The value.
  var value: TOMLValue
  /// The line, from 1.
  var line: Int
}

/// A TOML value. Dates and times are rejected because no setting uses them.
enum TOMLValue: Hashable, Sendable {
  /// A string.
  case string(String)
  /// A 64-bit integer.
  case integer(Int)
  /// A floating-point number, including infinity and NaN.
  case float(Double)
  /// A boolean.
  case bool(Bool)
  /// An array such as `[1, 2]`.
  case array([TOMLNode])
  /// The tables of consecutive `[[name]]` headers.
  case tables([TOMLTable])
  /// A table from `[name]`, `name.key = ...`, or `{ ... }`.
  case table(TOMLTable)

  /// A description of the value's kind, for messages.
  var kind: String {
    switch self {
    case .string: "a string"
    case .integer: "a whole number"
    case .float: "a number"
    case .bool: "true or false"
    case .array: "an array"
    case .tables: "an array of tables"
    case .table: "a table"
    }
  }
}
