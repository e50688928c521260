/// A value of a message's body (D-Bus specification, "Type System").
public enum DBusValue: Sendable, Hashable {
  /// `y`
  case byte(UInt8)
  /// `b`
  case boolean(Bool)
  /// `n`
  case int16(Int16)
  /// `q`
  case uint16(UInt16)
  /// `i`
  case int32(Int32)
  /// `u`
  case uint32(UInt32)
  /// `x`
  case int64(Int64)
  /// `t`
  case uint64(UInt64)
  /// `d`
  case double(Double)
  /// `s`; what is no UTF-8 was repaired.
  case string(String)
  /// `o`
  case objectPath(String)
  /// `g`
  case signature(String)
  /// `h`: the place among the descriptors that came with the message.
  case descriptor(UInt32)
  /// `a`: values of one type, and the signature of that type.
  case array([DBusValue], of: String)
  /// `(...)`
  case structure([DBusValue])
  /// `{..}`: an entry of a dictionary, which is an array of these.
  indirect case entry(DBusValue, DBusValue)
  /// `v`
  indirect case variant(DBusValue)

  /// The value's type, as a signature has it.
  public var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .array(_, let type): "a" + type
    case .structure(let values): "(" + values.map(\.signature).joined() + ")"
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .variant: "v"
    }
  }

  /// The value in a variant, or the value itself.
  public var unwrapped: DBusValue { if case .variant(let value) = self { value } else { self } }

  /// The text of a string; nil for anything else.
  public var text: String? { if case .string(let text) = self { text } else { nil } }

  /// What a boolean says; nil for anything else.
  public var truth: Bool? { if case .boolean(let truth) = self { truth } else { nil } }

  /// The elements of an array; nil for anything else.
  public var elements: [DBusValue]? { if case .array(let elements, _) = self { elements } else { nil } }

  /// The value of this key in a dictionary with strings as keys (`a{sv}`), out of its variant; nil where it is missing.
  public subscript(key: String) -> DBusValue? {
    for case .entry(.string(key), let value) in elements ?? [] { return value.unwrapped }
    return nil
  }
}
