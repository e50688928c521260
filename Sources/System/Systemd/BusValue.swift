/// A value in a message body (D-Bus specification, "Type System").
package enum BusValue: Hashable, Sendable {
  /// `b`
  case boolean(Bool)
  /// `q`
  case uint16(UInt16)
  /// `i`
  case int32(Int32)
  /// `u`
  case uint32(UInt32)
  /// `s`. Sequences that are not UTF-8 are replaced.
  case string(String)
  /// `h`
  case descriptor(PassedDescriptor)
  /// `a`: values of one type, and the signature of that type.
  case array([BusValue], of: String)
  /// `{..}`: a dictionary entry. A dictionary is an array of entries.
  indirect case entry(BusValue, BusValue)
  /// `v`
  indirect case variant(BusValue)
  /// A value of any other type, which nothing here needs.
  case skipped(type: String)

  /// The type signature of the value.
  package var signature: String {
    switch self {
    case .boolean: "b"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .string: "s"
    case .descriptor: "h"
    case .array(_, let type): "a" + type
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .variant: "v"
    case .skipped(let type): type
    }
  }

  /// The content of a variant, or the value itself if it is not a variant.
  package var unwrapped: BusValue { if case .variant(let value) = self { value } else { self } }

  /// The text of a string; nil for any other type.
  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of a boolean; nil for any other type.
  package var truth: Bool? { if case .boolean(let truth) = self { truth } else { nil } }

  /// The file descriptor; nil for any other type.
  package var descriptor: PassedDescriptor? {
    if case .descriptor(let descriptor) = self { descriptor } else { nil }
  }

  /// The elements of an array; nil for any other type.
  package var elements: [BusValue]? { if case .array(let elements, _) = self { elements } else { nil } }

  /// Returns the unwrapped value of a key in a dictionary with string keys (`a{sv}`); nil if the key is missing.
  package subscript(key: String) -> BusValue? {
    for case .entry(.string(key), let value) in elements ?? [] { return value.unwrapped }
    return nil
  }
}
