/// A request to a USB device's endpoint 0 (USB 2.0 specification, 9.3).
public struct ControlRequest: Sendable, Hashable {
  /// Direction (bit 7: to the machine), type (bits 5 and 6) and recipient.
  public var type: UInt8
  /// What is wanted.
  public var request: UInt8
  /// The request's own.
  public var value: UInt16
  /// The request's own; the number of the interface where it is for one.
  public var index: UInt16
  /// How many bytes are to be read at most.
  public var length: UInt16

  /// Whether the device is to answer with data.
  public var isRead: Bool { type & 0x80 != 0 }
  /// Whether the request is the vendor's own.
  public var isVendors: Bool { type & 0x60 == 0x40 }
}

/// What a device answers to a control request.
public enum ControlAnswer: Sendable, Hashable {
  /// These bytes; those beyond what was asked for are cut off.
  case data([UInt8])
  /// It took what was written.
  case taken
  /// It will not.
  case stall
}

/// What makes a USB device more than any other: its own requests, and what it does with the bytes that it gets.
public protocol USBFunction: Sendable {
  /// What the device tells of itself.
  var description: USBDescription { get }

  /// Answers a request that is not one of those that every device knows; `data` is what was written.
  mutating func control(_ request: ControlRequest, _ data: [UInt8]) -> ControlAnswer

  /// Takes a bulk transfer; false where it makes no sense.
  mutating func bulk(_ data: ArraySlice<UInt8>) -> Bool

  /// The machine resets the device.
  mutating func reset()
}

/// A USB device that is played to a machine: bytes of the machine go in, bytes for it come out. It does no I/O.
public struct RedirectedDevice<Function: USBFunction>: Sendable {
  /// The device.
  public var function: Function
  private var stream = RedirStream()
  private var configuration: UInt8 = 0
  private var hasConnected = false

  /// A device that waits for its machine.
  public init(_ function: Function) {
    self.function = function
  }

  /// What is sent first.
  public var opening: [UInt8] { RedirStream.hello("placard-lab") }

  /// Takes bytes of the machine and returns what is to be sent to it.
  public mutating func receive(_ bytes: [UInt8]) throws(USBDisplayError) -> [UInt8] {
    stream.append(bytes)
    var answer: [UInt8] = []
    while let packet = try stream.next() {
      for reply in try replies(to: packet) { answer += stream.bytes(of: reply) }
    }
    return answer
  }

  private mutating func replies(to packet: RedirPacket) throws(USBDisplayError) -> [RedirPacket] {
    switch RedirPacket.Kind(rawValue: packet.kind) {
    case .hello:
      guard !hasConnected else { throw USBDisplayError("it said hello twice") }
      hasConnected = true
      return interfaceInfo + [RedirPacket(.deviceConnect, deviceConnect)]
    case .reset:
      configuration = 0
      function.reset()
      return []
    case .setConfiguration:
      configuration = packet.payload.first ?? 0
      return interfaceInfo + [configurationStatus(packet.id)]
    case .getConfiguration: return [configurationStatus(packet.id)]
    case .setAlternate, .getAlternate:
      return [RedirPacket(.alternateStatus, id: packet.id, [0, packet.payload.first ?? 0, 0])]
    case .startInterruptReceiving:
      let endpoint = packet.payload.first ?? 0
      return [RedirPacket(.interruptReceivingStatus, id: packet.id, [RedirStatus.stall.rawValue, endpoint])]
    case .control: return [try control(packet)]
    case .bulk: return [try bulk(packet)]
    // A cancelled transfer has been answered already; the rest is of no use to a display.
    default: return []
    }
  }

  private func configurationStatus(_ id: UInt64) -> RedirPacket {
    RedirPacket(.configurationStatus, id: id, [RedirStatus.success.rawValue, configuration])
  }

  // MARK: What the device is

  /// High speed is 2.
  private var deviceConnect: [UInt8] {
    var bytes: [UInt8] = [2, 0, 0, 0]
    bytes.append(littleEndian: function.description.vendor)
    bytes.append(littleEndian: function.description.product)
    if stream.shared.contains(.deviceVersion) { bytes.append(littleEndian: USBDescription.version) }
    return bytes
  }

  /// Endpoints first, then interfaces: the order that the protocol wants. Endpoints are 16 out, then 16 in.
  private var interfaceInfo: [RedirPacket] {
    let bulk = Int(USBDescription.bulkOutEndpoint)
    var kinds = [UInt8](repeating: 255, count: 32)
    kinds[0] = 0
    kinds[16] = 0
    kinds[bulk] = 2
    var endpoints = kinds + [UInt8](repeating: 0, count: 64)
    if stream.shared.contains(.packetSizes) {
      for number in 0..<32 {
        let size = number == bulk ? USBDescription.bulkPacketSize : number % 16 == 0 ? 64 : 0
        endpoints.append(littleEndian: size)
      }
    }
    var interfaces: [UInt8] = []
    interfaces.append(littleEndian: UInt32(1))
    interfaces += [UInt8](repeating: 0, count: 32)
    interfaces += [USBDescription.interfaceClass] + [UInt8](repeating: 0, count: 31 + 64)
    return [RedirPacket(.endpointInfo, endpoints), RedirPacket(.interfaceInfo, interfaces)]
  }

  // MARK: Transfers

  private mutating func control(_ packet: RedirPacket) throws(USBDisplayError) -> RedirPacket {
    var reader = LittleEndianReader(packet.payload)
    guard let endpoint = reader.next(UInt8.self), let request = reader.next(UInt8.self),
      let type = reader.next(UInt8.self), reader.next(UInt8.self) != nil, let value = reader.next(UInt16.self),
      let index = reader.next(UInt16.self), let length = reader.next(UInt16.self)
    else { throw USBDisplayError("it sent a control transfer of \(packet.payload.count) bytes") }
    let asked = ControlRequest(type: type, request: request, value: value, index: index, length: length)
    let written = Array(reader.remainder)
    var (status, count, data) = (RedirStatus.success, length, [UInt8]())
    switch standardAnswer(asked) ?? function.control(asked, written) {
    case .data(let bytes):
      data = Array(bytes.prefix(Int(length)))
      count = UInt16(data.count)
    case .taken: break
    case .stall: (status, count) = (.stall, 0)
    }
    var payload: [UInt8] = [endpoint, request, type, status.rawValue]
    payload.append(littleEndian: value)
    payload.append(littleEndian: index)
    payload.append(littleEndian: count)
    return RedirPacket(.control, id: packet.id, payload + data)
  }

  /// The requests that every device knows; the machine itself answers those about addresses and configurations.
  private func standardAnswer(_ request: ControlRequest) -> ControlAnswer? {
    guard request.type & 0x60 == 0 else { return nil }
    switch (request.isRead, request.request) {
    case (true, 0): return .data([0, 0])
    case (false, 1), (false, 3): return .taken
    case (true, 6):
      let (kind, index) = (UInt8(request.value >> 8), UInt8(request.value & 0xFF))
      // A kind that every device may have is answered here; others may be the vendor's.
      return function.description.descriptor(kind: kind, index: index).map { .data($0) }
    default: return nil
    }
  }

  private mutating func bulk(_ packet: RedirPacket) throws(USBDisplayError) -> RedirPacket {
    var reader = LittleEndianReader(packet.payload)
    let isLong = stream.shared.contains(.longTransfers)
    guard let endpoint = reader.next(UInt8.self), reader.next(UInt8.self) != nil, let low = reader.next(UInt16.self),
      let streamID = reader.next(UInt32.self), let high = isLong ? reader.next(UInt16.self) : 0
    else { throw USBDisplayError("it sent a bulk transfer of \(packet.payload.count) bytes") }
    let isTaken = endpoint == USBDescription.bulkOutEndpoint && function.bulk(reader.remainder)
    var payload: [UInt8] = [endpoint, (isTaken ? RedirStatus.success : .stall).rawValue]
    payload.append(littleEndian: isTaken ? low : 0)
    payload.append(littleEndian: streamID)
    if isLong { payload.append(littleEndian: isTaken ? high : 0) }
    return RedirPacket(.bulk, id: packet.id, payload)
  }
}
