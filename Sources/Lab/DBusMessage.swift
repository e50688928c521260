/// The little of D-Bus that QEMU's display needs: method calls in little-endian, and the head of what comes back
/// (D-Bus specification, "Message Protocol").
struct DBusMessage: Sendable, Equatable {
  /// A value of a call's body.
  enum Value: Sendable, Equatable {
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)

    var signature: Character {
      switch self {
      case .uint16: "q"
      case .int32: "i"
      case .uint32: "u"
      }
    }
  }

  /// The call as bytes on the wire.
  static func methodCall(
    serial: UInt32, path: String, interface: String, member: String, body: [Value]
  ) -> [UInt8] {
    var content = DBusWriter()
    for value in body { content.append(value) }
    var fields = DBusWriter()
    fields.appendField(1, "o", path)
    fields.appendField(2, "s", interface)
    fields.appendField(3, "s", member)
    if !body.isEmpty { fields.appendField(8, "g", String(body.map(\.signature))) }
    var message = DBusWriter()
    // Little-endian, METHOD_CALL, no flags, protocol version 1.
    message.bytes = [UInt8(ascii: "l"), 1, 0, 1]
    message.append(.uint32(UInt32(content.bytes.count)))
    message.append(.uint32(serial))
    message.append(.uint32(UInt32(fields.bytes.count)))
    message.bytes += fields.bytes
    message.align(8)
    return message.bytes + content.bytes
  }

  /// 2 is a method's return, 3 an error, 4 a signal.
  let type: UInt8
  /// The call that a return or an error answers.
  var replySerial: UInt32?
  /// The name of an error.
  var errorName: String?
  /// Bytes of the whole message.
  let length: Int

  /// The message at the start of `bytes`; nil while it is incomplete. Big-endian or absurdly long ones are not read.
  init?(parsing bytes: [UInt8]) throws(LabError) {
    var reader = DBusReader(bytes: bytes)
    guard bytes.count >= 16, let order = reader.byte(), let type = reader.byte() else { return nil }
    reader.position = 4
    guard let bodyLength = reader.uint32(), reader.uint32() != nil, let fieldsLength = reader.uint32() else {
      return nil
    }
    guard order == UInt8(ascii: "l"), bodyLength < 1 << 26, fieldsLength < 1 << 20 else {
      throw LabError(.refused, "QEMU's display sent something that is no D-Bus message in little-endian")
    }
    let end = 16 + Int(fieldsLength)
    self.type = type
    length = (end + 7) & ~7 + Int(bodyLength)
    guard bytes.count >= length else { return nil }
    while reader.position < end, let field = reader.field() {
      switch field {
      case .replySerial(let serial): replySerial = serial
      case .errorName(let name): errorName = name
      case .other: continue
      }
    }
  }
}

/// Appends values with D-Bus's alignment, counted from the first byte.
private struct DBusWriter {
  var bytes: [UInt8] = []

  mutating func align(_ size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }

  mutating func append(_ value: DBusMessage.Value) {
    switch value {
    case .uint16(let value):
      align(2)
      append(little: value)
    case .int32(let value):
      align(4)
      append(little: value)
    case .uint32(let value):
      align(4)
      append(little: value)
    }
  }

  /// One header field: its code and a variant that holds a string ("s"), path ("o") or signature ("g").
  mutating func appendField(_ code: UInt8, _ type: Character, _ text: String) {
    align(8)
    bytes += [code, 1] + Array(String(type).utf8) + [0]
    if type == "g" {
      bytes.append(UInt8(truncatingIfNeeded: text.utf8.count))
    } else {
      append(.uint32(UInt32(text.utf8.count)))
    }
    bytes += Array(text.utf8) + [0]
  }

  private mutating func append(little value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}

/// Reads what the writer writes; nil past the end.
private struct DBusReader {
  let bytes: [UInt8]
  var position = 0

  enum Field {
    case replySerial(UInt32)
    case errorName(String)
    case other
  }

  mutating func byte() -> UInt8? {
    guard position < bytes.count else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func uint32() -> UInt32? {
    position = (position + 3) & ~3
    guard position + 4 <= bytes.count else { return nil }
    defer { position += 4 }
    return (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[position + $1]) << (8 * UInt32($1)) }
  }

  mutating func text(_ count: Int) -> String? {
    guard count >= 0, position + count < bytes.count else { return nil }
    defer { position += count + 1 }
    return String(decoding: bytes[position..<position + count], as: UTF8.self)
  }

  /// One header field; its value is a string, a path, a signature or a number, never more in the messages of a peer.
  mutating func field() -> Field? {
    position = (position + 7) & ~7
    guard let code = byte(), let count = byte(), count == 1, let type = byte(), byte() == 0 else { return nil }
    switch type {
    case UInt8(ascii: "u"):
      guard let value = uint32() else { return nil }
      return code == 5 ? .replySerial(value) : .other
    case UInt8(ascii: "g"):
      guard let length = byte(), text(Int(length)) != nil else { return nil }
      return .other
    default:
      guard let length = uint32(), let value = text(Int(length)) else { return nil }
      return code == 4 ? .errorName(value) : .other
    }
  }
}
