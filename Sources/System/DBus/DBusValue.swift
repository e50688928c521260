/// A value in a message body (D-Bus specification, "Type System").
package enum DBusValue: Sendable, Hashable {
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
  /// `s`.
  ///
  /// Invalid UTF-8 sequences are replaced when a message is parsed.
  case string(String)
  /// `o`
  case objectPath(String)
  /// `g`
  case signature(String)
  /// `h`: an index into the file descriptors that accompany the message.
  case descriptor(UInt32)
  /// `a`: values of one type, and the signature of that type.
  case array([DBusValue], of: String)
  /// `(...)`
  case structure([DBusValue])
  /// `{..}`: a dictionary entry.
  ///
  /// A dictionary is an array of entries.
  indirect case entry(DBusValue, DBusValue)
  /// `v`
  indirect case variant(DBusValue)

  /// The type signature of the value.
  package var signature: String {
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

  /// The content of a variant, or the value itself if it is not a variant.
  package var unwrapped: DBusValue { if case .variant(let value) = self { value } else { self } }

  /// The text of a string, or nil for any other type.
  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of a boolean, or nil for any other type.
  package var truth: Bool? { if case .boolean(let truth) = self { truth } else { nil } }

  /// The elements of an array, or nil for any other type.
  package var elements: [DBusValue]? { if case .array(let elements, _) = self { elements } else { nil } }

  /// Returns the unwrapped value of a key in a dictionary with string keys (`a{sv}`), or nil if the key is missing.
  package subscript(key: String) -> DBusValue? {
    for case .entry(.string(key), let value) in elements ?? [] { return value.unwrapped }
    return nil
  }
}
