@testable import USBDisplays

/// A machine into which a device is plugged: the requests of a guest's USB stack, byte by byte.
struct Machine<Function: USBFunction> {
  private(set) var device: RedirectedDevice<Function>
  /// The packets that the device has sent on its own since the last check.
  private(set) var greeting: [RedirPacket] = []
  private var stream = RedirStream()
  private let capabilities: RedirCapabilities
  private var nextID: UInt64 = 1 << 40

  init(_ function: Function, knowing capabilities: RedirCapabilities = .own) throws {
    device = RedirectedDevice(function)
    self.capabilities = capabilities
    if !capabilities.contains(.wideIDs) { nextID = 1 }
    stream.append(device.opening)
    _ = try stream.next()
    var payload = [UInt8](repeating: 0, count: 64)
    payload.append(littleEndian: capabilities.rawValue)
    greeting = try exchange(RedirStream().bytes(of: RedirPacket(.hello, payload)))
  }

  /// Runs an operation of the device's owner, such as an unplug.
  mutating func change<Result>(_ body: (inout Function) -> Result) -> Result { body(&device.function) }

  /// Sends bytes and returns the device's packets in reply.
  mutating func exchange(_ bytes: [UInt8]) throws -> [RedirPacket] {
    var peer = Peer(stream: RedirStream(), capabilities: capabilities)
    return try peer.packets(in: try device.receive(bytes))
  }

  /// Sends a packet in this machine's encoding.
  mutating func send(_ packet: RedirPacket) throws -> [RedirPacket] {
    try exchange(Peer(stream: RedirStream(), capabilities: capabilities).bytes(of: packet))
  }

  /// Sends a control request, and returns the status and the data of the reply.
  mutating func control(
    _ type: UInt8, _ request: UInt8, value: UInt16 = 0, length: UInt16 = 0, _ data: [UInt8] = []
  ) throws -> (status: RedirStatus?, data: [UInt8]) {
    nextID += 1
    var payload: [UInt8] = [type & 0x80, request, type, 0]
    for number in [value, 0, type & 0x80 == 0 ? UInt16(data.count) : length] { payload.append(littleEndian: number) }
    let answers = try send(RedirPacket(.control, id: nextID, payload + data))
    guard let answer = answers.first, answers.count == 1, answer.id == nextID else { return (nil, []) }
    return (RedirStatus(rawValue: answer.payload[3]), Array(answer.payload.dropFirst(10)))
  }

  /// Sends a bulk transfer, and returns its status.
  mutating func bulk(_ data: [UInt8], endpoint: UInt8 = 1) throws -> RedirStatus? {
    nextID += 1
    var payload: [UInt8] = [endpoint, 0]
    payload.append(littleEndian: UInt16(data.count & 0xFFFF))
    payload.append(littleEndian: UInt32(0))
    if capabilities.contains(.longTransfers) { payload.append(littleEndian: UInt16(data.count >> 16)) }
    let answers = try send(RedirPacket(.bulk, id: nextID, payload + data))
    return answers.first.flatMap { $0.id == nextID ? RedirStatus(rawValue: $0.payload[1]) : nil }
  }
}

/// The other end of the stream, with the negotiated capabilities.
private struct Peer {
  var stream: RedirStream

  init(stream: RedirStream, capabilities: RedirCapabilities) {
    var stream = stream
    var payload = [UInt8](repeating: 0, count: 64)
    payload.append(littleEndian: capabilities.rawValue)
    stream.append(RedirStream().bytes(of: RedirPacket(.hello, payload)))
    _ = try? stream.next()
    self.stream = stream
  }

  func bytes(of packet: RedirPacket) -> [UInt8] { stream.bytes(of: packet) }

  mutating func packets(in bytes: [UInt8]) throws -> [RedirPacket] {
    stream.append(bytes)
    var packets: [RedirPacket] = []
    while let packet = try stream.next() { packets.append(packet) }
    return packets
  }
}
