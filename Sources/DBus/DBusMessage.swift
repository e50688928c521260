/// A message (D-Bus specification, "Message Protocol").
public struct DBusMessage: Sendable, Hashable {
  /// What a message is for.
  public enum Kind: UInt8, Sendable, Hashable {
    /// A kind that this program does not know, which is passed over.
    case unknown
    /// Asks for a method.
    case call
    /// Answers a call.
    case reply
    /// Answers a call that failed.
    case error
    /// Tells something, unasked.
    case signal
  }

  /// What the message is for.
  public var kind: Kind
  /// NO_REPLY_EXPECTED is 1, NO_AUTO_START 2.
  public var flags: UInt8 = 0
  /// The sender's number of this message; never 0 on the wire.
  public var serial: UInt32 = 0
  /// The object that is called or tells.
  public var path: String?
  /// The interface that the member is of.
  public var interface: String?
  /// The method or the signal.
  public var member: String?
  /// The name of an error.
  public var errorName: String?
  /// The serial of the call that this answers.
  public var replySerial: UInt32?
  /// The bus name of who is meant; nil between peers without a bus.
  public var destination: String?
  /// The bus name of the sender, which the bus itself writes.
  public var sender: String?
  /// How many descriptors came with the message.
  public var descriptorCount: UInt32 = 0
  /// The values.
  public var body: [DBusValue] = []

  /// A message of this kind, without anything else.
  public init(_ kind: Kind) { self.kind = kind }

  /// The call of a method.
  public static func call(
    _ member: String, of interface: String, at path: String, on destination: String? = nil, _ body: DBusValue...
  ) -> DBusMessage {
    var message = DBusMessage(.call)
    (message.path, message.interface, message.member) = (path, interface, member)
    (message.destination, message.body) = (destination, body)
    return message
  }

  /// The text of the first value, which is an error's reason in words; nil where there is none.
  public var words: String? { body.first?.text }

  /// The message on the wire, in little-endian.
  public var bytes: [UInt8] {
    var content = DBusWriter()
    for value in body { content.append(value) }
    var writer = DBusWriter()
    // Protocol version 1.
    writer.append(raw: [UInt8(ascii: "l"), kind.rawValue, flags, 1])
    writer.append(.uint32(UInt32(truncatingIfNeeded: content.bytes.count)))
    writer.append(.uint32(serial))
    let fields = fields.map { DBusValue.structure([.byte($0.rawValue), .variant($1)]) }
    writer.append(.array(fields, of: "(yv)"))
    writer.align(8)
    return writer.bytes + content.bytes
  }

  /// The header fields' codes.
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
  /// The bytes that the message at the start of `bytes` takes; nil while that is not known yet.
  static func length(at bytes: [UInt8]) throws(DBusError) -> Int? {
    guard bytes.count >= 16 else { return nil }
    var reader = try reader(bytes, from: 4)
    let body = Int(try reader.integer(UInt32.self))
    _ = try reader.integer(UInt32.self)
    let fields = Int(try reader.integer(UInt32.self))
    guard fields <= 1 << 26, body <= 1 << 27 else {
      throw DBusError("it sent a message of \(fields) and \(body) bytes, which is more than D-Bus allows")
    }
    return (16 + fields + 7) / 8 * 8 + body
  }

  private static func reader(_ bytes: [UInt8], from position: Int) throws(DBusError) -> DBusReader {
    switch bytes.first {
    case UInt8(ascii: "l"): return DBusReader(bytes, isBigEndian: false, from: position)
    case UInt8(ascii: "B"): return DBusReader(bytes, isBigEndian: true, from: position)
    default: throw DBusError("it sent what is no D-Bus message")
    }
  }

  /// Reads the one message that `bytes` are, as `length` measured it.
  init(_ bytes: [UInt8]) throws(DBusError) {
    guard bytes.count >= 16 else { throw DBusError("it sent a message without a head") }
    self.init(Kind(rawValue: bytes[1]) ?? .unknown)
    flags = bytes[2]
    var reader = try Self.reader(bytes, from: 8)
    serial = try reader.integer()
    var signature = ""
    for case .array(let fields, _) in try reader.values(of: "a(yv)") {
      for case .structure(let field) in fields { take(field, &signature) }
    }
    reader.align(8)
    body = try reader.values(of: signature)
  }

  /// A header field; those that are not known are passed over, as the specification wants it.
  private mutating func take(_ field: [DBusValue], _ bodySignature: inout String) {
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
