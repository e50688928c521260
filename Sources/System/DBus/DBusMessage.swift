/// A message (D-Bus specification, "Message Protocol").
package struct DBusMessage: Sendable, Hashable {
  /// The message type.
  package enum Kind: UInt8, Sendable, Hashable {
    /// A type that this implementation does not support.
    ///
    /// The receiver ignores such messages.
    case unknown
    /// A method call.
    case call
    /// A method return.
    case reply
    /// An error reply.
    case error
    /// A signal emission.
    case signal
  }

  /// The message type.
  package var kind: Kind
  /// The header flags: NO_REPLY_EXPECTED is 1, NO_AUTO_START is 2.
  package var flags: UInt8 = 0
  /// The serial number that the sender assigned, never 0 on the wire.
  package var serial: UInt32 = 0
  /// The object that is called or that emits the signal.
  package var path: String?
  /// The interface that declares the member.
  package var interface: String?
  /// The name of the method or signal.
  package var member: String?
  /// The name of the error, for error replies.
  package var errorName: String?
  /// The serial number of the call that this message replies to.
  package var replySerial: UInt32?
  /// The bus name of the recipient, or nil for signals and for peers without a bus.
  package var destination: String?
  /// The bus name of the sender.
  ///
  /// The bus sets it, so senders cannot forge it.
  package var sender: String?
  /// The number of file descriptors that accompany the message.
  package var descriptorCount: UInt32 = 0
  /// The arguments.
  package var body: [DBusValue] = []

  /// Creates a message of the given type with an empty header and body.
  package init(_ kind: Kind) { self.kind = kind }

  /// Creates a method call.
  ///
  /// - Parameters:
  ///   - member: The method's name.
  ///   - interface: The interface that declares the method.
  ///   - path: The object to call.
  ///   - destination: The bus name of the recipient, or nil if the peer is not a bus.
  ///   - body: The arguments.
  /// - Returns: A call whose serial is still 0.
  package static func call(
    _ member: String, of interface: String, at path: String, on destination: String? = nil, _ body: DBusValue...
  ) -> DBusMessage {
    var message = DBusMessage(.call)
    (message.path, message.interface, message.member) = (path, interface, member)
    (message.destination, message.body) = (destination, body)
    return message
  }

  /// The first argument if it is a string.
  ///
  /// For error replies, this is the human-readable reason.
  package var words: String? { body.first?.text }

  /// The message in wire format, little-endian.
  package var bytes: [UInt8] {
    var content = DBusWriter()
    for value in body { content.append(value) }
    var writer = DBusWriter()
    // The last byte is the major protocol version.
    writer.append(raw: [UInt8(ascii: "l"), kind.rawValue, flags, 1])
    writer.append(.uint32(UInt32(truncatingIfNeeded: content.bytes.count)))
    writer.append(.uint32(serial))
    let fields = fields.map { DBusValue.structure([.byte($0.rawValue), .variant($1)]) }
    writer.append(.array(fields, of: "(yv)"))
    writer.align(8)
    return writer.bytes + content.bytes
  }

  /// The codes of the header fields.
  private enum Field: UInt8 {
    case path = 1
    case interface, member, errorName, replySerial, destination, sender, signature, descriptorCount
  }

  private var fields: [(Field, DBusValue)] {
    var fields: [(Field, DBusValue?)] = [
      (.path, path.map(DBusValue.objectPath)), (.interface, interface.map(DBusValue.string)),
      (.member, member.map(DBusValue.string)), (.errorName, errorName.map(DBusValue.string)),
      (.replySerial, replySerial.map(DBusValue.uint32)), (.destination, destination.map(DBusValue.string)),
      (.sender, sender.map(DBusValue.string)),
    ]
    if !body.isEmpty { fields.append((.signature, .signature(body.map(\.signature).joined()))) }
    if descriptorCount > 0 { fields.append((.descriptorCount, .uint32(descriptorCount))) }
    return fields.compactMap { field, value in value.map { (field, $0) } }
  }
}

extension DBusMessage {
  /// Returns the size in bytes of the message at the start of `bytes`, or nil until its fixed header is complete.
  static func length(at bytes: [UInt8]) throws(DBusError) -> Int? {
    guard bytes.count >= 16 else { return nil }
    var reader = try reader(bytes, from: 4)
    let body = Int(try reader.integer(UInt32.self))
    _ = try reader.integer(UInt32.self)
    let fields = Int(try reader.integer(UInt32.self))
    guard fields <= 1 << 26, body <= 1 << 27 else {
      throw DBusError("it sent a message of \(fields) and \(body) bytes, more than D-Bus allows")
    }
    return (16 + fields + 7) / 8 * 8 + body
  }

  private static func reader(_ bytes: [UInt8], from position: Int) throws(DBusError) -> DBusReader {
    switch bytes.first {
    case UInt8(ascii: "l"): return DBusReader(bytes, isBigEndian: false, from: position)
    case UInt8(ascii: "B"): return DBusReader(bytes, isBigEndian: true, from: position)
    default: throw DBusError("it sent something other than a D-Bus message")
    }
  }

  /// Parses a single complete message, whose size `length(at:)` has determined.
  init(_ bytes: [UInt8]) throws(DBusError) {
    guard bytes.count >= 16 else { throw DBusError("it sent a message without a complete header") }
    self.init(Kind(rawValue: bytes[1]) ?? .unknown)
    flags = bytes[2]
    var reader = try Self.reader(bytes, from: 8)
    serial = try reader.integer()
    var signature = ""
    for case .array(let fields, _) in try reader.values(of: "a(yv)") {
      for case .structure(let field) in fields { apply(field, &signature) }
    }
    reader.align(8)
    body = try reader.values(of: signature)
  }

  /// Applies a header field.
  ///
  /// The specification requires that unknown fields be ignored.
  private mutating func apply(_ field: [DBusValue], _ bodySignature: inout String) {
    guard field.count == 2, case .byte(let code) = field[0] else { return }
    switch (Field(rawValue: code), field[1].unwrapped) {
    case (.path, .objectPath(let value)): path = value
    case (.interface, .string(let value)): interface = value
    case (.member, .string(let value)): member = value
    case (.errorName, .string(let value)): errorName = value
    case (.replySerial, .uint32(let value)): replySerial = value
    case (.destination, .string(let value)): destination = value
    case (.sender, .string(let value)): sender = value
    case (.signature, .signature(let value)): bodySignature = value
    case (.descriptorCount, .uint32(let value)): descriptorCount = value
    default: return
    }
  }
}
