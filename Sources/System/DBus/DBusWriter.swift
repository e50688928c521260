/// A serializer of D-Bus values: little-endian, aligned relative to the first byte.
struct DBusWriter {
  private(set) var bytes: [UInt8] = []

  mutating func align(_ size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }

  mutating func append(raw other: [UInt8]) { bytes += other }

  mutating func append(_ value: DBusValue) {
    switch value {
    case .byte(let value): bytes.append(value)
    case .boolean(let value): append(integer: UInt32(value ? 1 : 0))
    case .int16(let value): append(integer: value)
    case .uint16(let value): append(integer: value)
    case .int32(let value): append(integer: value)
    case .uint32(let value), .descriptor(let value): append(integer: value)
    case .int64(let value): append(integer: value)
    case .uint64(let value): append(integer: value)
    case .double(let value): append(integer: value.bitPattern)
    case .string(let text), .objectPath(let text): append(text)
    case .signature(let text): append(signature: text)
    case .array(let elements, let type): append(array: elements, of: type)
    case .structure(let values):
      align(8)
      for value in values { append(value) }
    case .entry(let key, let value):
      align(8)
      append(key)
      append(value)
    case .variant(let value):
      append(signature: value.signature)
      append(value)
    }
  }

  /// Appends an integer, aligned to its own size.
  private mutating func append(integer: some FixedWidthInteger) {
    align(integer.bitWidth / 8)
    for shift in stride(from: 0, to: integer.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: integer >> shift))
    }
  }

  private mutating func append(_ text: String) {
    append(integer: UInt32(truncatingIfNeeded: text.utf8.count))
    bytes += Array(text.utf8) + [0]
  }

  private mutating func append(signature: String) {
    bytes.append(UInt8(truncatingIfNeeded: signature.utf8.count))
    bytes += Array(signature.utf8) + [0]
  }

  /// Appends an array.
  ///
  /// Its length field excludes the padding before the first element.
  private mutating func append(array elements: [DBusValue], of type: String) {
    append(integer: UInt32(0))
    let place = bytes.count - 4
    align(type.utf8.first.flatMap(DBusTypes.alignment) ?? 1)
    let start = bytes.count
    for element in elements { append(element) }
    let length = UInt32(truncatingIfNeeded: bytes.count - start)
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(index))) }
  }
}
