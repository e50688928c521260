/// A value of a TOML text and the line it begins on.
struct TOMLNode: Hashable, Sendable {
  /// The value.
  var value: TOMLValue
  /// Counted from 1.
  var line: Int
}

/// What a key can stand for. Dates and times are refused: no setting is one.
enum TOMLValue: Hashable, Sendable {
  /// Text.
  case string(String)
  /// A whole number of 64 bits.
  case integer(Int)
  /// A number that is not whole, infinite or none at all.
  case float(Double)
  /// true or false.
  case bool(Bool)
  /// `[1, 2]`.
  case array([TOMLNode])
  /// What `[[name]]` headers make, one after another.
  case tables([TOMLTable])
  /// `[name]`, `name.key = ...` or `{ ... }`.
  case table(TOMLTable)

  /// What a person calls it.
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
