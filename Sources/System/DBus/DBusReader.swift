/// A reader of D-Bus values, aligned relative to the first byte.
///
/// The input is untrusted. Malformed values throw.
struct DBusReader {
  private let bytes: [UInt8]
  private let isBigEndian: Bool
  private(set) var position: Int

  init(_ bytes: [UInt8], isBigEndian: Bool, from position: Int = 0) {
    self.bytes = bytes
    self.isBigEndian = isBigEndian
    self.position = position
  }

  /// Reads one value for each complete type of the signature.
  mutating func values(of signature: String) throws(DBusError) -> [DBusValue] {
    var rest = Array(signature.utf8)[...]
    var values: [DBusValue] = []
    while !rest.isEmpty {
      guard let type = DBusTypes.popFirstType(of: &rest) else {
        throw DBusError("it sent the invalid signature \(signature)")
      }
      values.append(try value(of: type, depth: 0))
    }
    return values
  }

  mutating func align(_ size: Int) { position = (position + size - 1) / size * size }

  mutating func integer<T: FixedWidthInteger>(_: T.Type = T.self) throws(DBusError) -> T {
    align(T.bitWidth / 8)
    let raw = try readBytes(T.bitWidth / 8)
    let value = raw.reduce(T(0)) { $0 << 8 | T(truncatingIfNeeded: $1) }
    return isBigEndian ? value : value.byteSwapped
  }

  private mutating func readBytes(_ count: Int) throws(DBusError) -> ArraySlice<UInt8> {
    guard position <= bytes.count, count <= bytes.count - position else {
      throw DBusError("it sent a message with values beyond its end")
    }
    defer { position += count }
    return bytes[position..<position + count]
  }

  private mutating func value(of type: ArraySlice<UInt8>, depth: Int) throws(DBusError) -> DBusValue {
    guard depth < DBusTypes.deepest, let code = type.first else {
      throw DBusError("it sent values nested more than \(DBusTypes.deepest) levels deep")
    }
    switch Unicode.Scalar(code) {
    case "y": return .byte(try integer())
    case "b": return .boolean(try integer(UInt32.self) != 0)
    case "n": return .int16(try integer())
    case "q": return .uint16(try integer())
    case "i": return .int32(try integer())
    case "u": return .uint32(try integer())
    case "x": return .int64(try integer())
    case "t": return .uint64(try integer())
    case "d": return .double(Double(bitPattern: try integer()))
    case "s": return .string(try text())
    case "o": return .objectPath(try text())
    case "g": return .signature(try signature())
    case "h": return .descriptor(try integer())
    case "a": return try array(of: type.dropFirst(), depth: depth)
    case "v": return try variant(depth: depth)
    default: return try members(of: type, depth: depth)
    }
  }

  private mutating func text() throws(DBusError) -> String {
    let length = try integer(UInt32.self)
    return try terminated(Int(length))
  }

  private mutating func signature() throws(DBusError) -> String {
    let length = try integer(UInt8.self)
    return try terminated(Int(length))
  }

  /// Reads a string and its terminating NUL byte.
  private mutating func terminated(_ count: Int) throws(DBusError) -> String {
    let text = String(decoding: try readBytes(count), as: UTF8.self)
    _ = try readBytes(1)
    return text
  }

  /// Reads an array.
  ///
  /// Every type occupies at least one byte, so the array's length limits the number of elements.
  private mutating func array(of type: ArraySlice<UInt8>, depth: Int) throws(DBusError) -> DBusValue {
    let length = Int(try integer(UInt32.self))
    align(type.first.flatMap(DBusTypes.alignment) ?? 1)
    guard position <= bytes.count, length <= bytes.count - position else {
      throw DBusError("it sent an array beyond the end of its message")
    }
    let end = position + length
    var elements: [DBusValue] = []
    while position < end { elements.append(try value(of: type, depth: depth + 1)) }
    guard position == end else { throw DBusError("it sent an array with an incomplete last element") }
    return .array(elements, of: String(decoding: type, as: UTF8.self))
  }

  private mutating func variant(depth: Int) throws(DBusError) -> DBusValue {
    let signature = try signature()
    var rest = Array(signature.utf8)[...]
    guard let type = DBusTypes.popFirstType(of: &rest), rest.isEmpty else {
      throw DBusError("it sent a variant with the invalid signature \(signature)")
    }
    return .variant(try value(of: type, depth: depth + 1))
  }

  /// Reads the members of a structure, or the key and value of a dictionary entry.
  private mutating func members(of type: ArraySlice<UInt8>, depth: Int) throws(DBusError) -> DBusValue {
    align(8)
    var rest = type.dropFirst().dropLast()
    var values: [DBusValue] = []
    while let member = DBusTypes.popFirstType(of: &rest) { values.append(try value(of: member, depth: depth + 1)) }
    if type.first == UInt8(ascii: "("), !values.isEmpty { return .structure(values) }
    guard values.count == 2 else {
      throw DBusError("it sent an empty structure, or a dictionary entry without exactly two values")
    }
    return .entry(values[0], values[1])
  }
}
