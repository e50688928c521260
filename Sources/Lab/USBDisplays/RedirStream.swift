/// A packet parser and serializer that applies the negotiated protocol features.
struct RedirStream {
  /// The features that both sides support.
  ///
  /// Empty until the peer's hello has been received.
  private(set) var shared: RedirCapabilities = []
  private var hasReceivedHello = false
  private var buffer: [UInt8] = []
  /// The number of parsed bytes at the start of the buffer.
  private var taken = 0

  /// The maximum payload size in bytes.
  ///
  /// Transfers to a display are smaller, because the drivers split frames.
  static let largestPayload = 1 << 26

  mutating func append(_ bytes: [UInt8]) {
    if taken > 0 {
      buffer.removeFirst(taken)
      taken = 0
    }
    buffer += bytes
  }

  /// Returns the next complete packet, or nil until more bytes are received.
  mutating func next() throws(USBDisplayError) -> RedirPacket? {
    var reader = LittleEndianReader(buffer[taken...])
    let numbered = shared.contains(.wideIDs) ? 8 : 4
    guard buffer.count - taken >= 8 + numbered, let kind = reader.next(UInt32.self), let size = reader.next(UInt32.self)
    else { return nil }
    guard size <= Self.largestPayload else { throw USBDisplayError("it sent a packet of \(size) bytes") }
    let id = numbered == 8 ? reader.next(UInt64.self) : reader.next(UInt32.self).map { UInt64($0) }
    let start = taken + 8 + numbered
    guard let id, buffer.count - start >= Int(size) else { return nil }
    let packet = RedirPacket(kind: kind, id: id, payload: Array(buffer[start..<start + Int(size)]))
    taken = start + Int(size)
    if !hasReceivedHello { try receiveHello(packet) }
    return packet
  }

  /// Handles the hello, which must be the first packet: 64 bytes of version text, then 32-bit words of capabilities.
  private mutating func receiveHello(_ packet: RedirPacket) throws(USBDisplayError) {
    guard packet.kind == RedirPacket.Kind.hello.rawValue, packet.payload.count >= 64 else {
      throw USBDisplayError("its first packet was not a hello")
    }
    var reader = LittleEndianReader(packet.payload[64...])
    shared = RedirCapabilities(rawValue: reader.next() ?? 0).intersection(.own)
    hasReceivedHello = true
  }

  /// Returns this side's hello, which must be the first packet that it sends.
  static func hello(_ name: String) -> [UInt8] {
    let text = Array(name.utf8.prefix(63))
    var payload = text + [UInt8](repeating: 0, count: 64 - text.count)
    payload.append(littleEndian: RedirCapabilities.own.rawValue)
    return RedirStream().bytes(of: RedirPacket(.hello, payload))
  }

  /// Serializes a packet with the features negotiated so far.
  func bytes(of packet: RedirPacket) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 + packet.payload.count)
    bytes.append(littleEndian: packet.kind)
    bytes.append(littleEndian: UInt32(packet.payload.count))
    if shared.contains(.wideIDs) {
      bytes.append(littleEndian: packet.id)
    } else {
      bytes.append(littleEndian: UInt32(truncatingIfNeeded: packet.id))
    }
    return bytes + packet.payload
  }
}
