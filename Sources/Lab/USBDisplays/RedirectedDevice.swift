/// A control request, as defined by the setup packet (USB 2.0 specification, 9.3).
public struct ControlRequest: Sendable, Hashable {
  /// The direction (bit 7, set for device to host), type (bits 5 and 6) and recipient.
  public var type: UInt8
  /// The request code.
  public var request: UInt8
  /// The request-specific value.
  public var value: UInt16
  /// The request-specific index, or the interface number for interface requests.
  public var index: UInt16
  /// The number of data bytes.
  ///
  /// For a read, it is the maximum.
  public var length: UInt16

  /// Whether the device replies with data.
  public var isRead: Bool { type & 0x80 != 0 }
  /// Whether the request is vendor-specific.
  public var isVendorRequest: Bool { type & 0x60 == 0x40 }
}

/// A device's reply to a control request.
public enum ControlAnswer: Sendable, Hashable {
  /// The data of a read.
  ///
  /// Bytes beyond the requested length are dropped.
  case data([UInt8])
  /// The device accepted a write.
  case taken
  /// The device rejects the request.
  case stall
}

/// The device-specific part of a USB device: its vendor requests and its bulk data.
public protocol USBFunction: Sendable {
  /// The identification and descriptors of the device.
  var description: USBDescription { get }

  /// Handles a control request that is not a standard request of all devices.
  ///
  /// - Parameters:
  ///   - request: The setup packet.
  ///   - data: The bytes that the host wrote, empty for a read.
  /// - Returns: The reply.
  mutating func control(_ request: ControlRequest, _ data: [UInt8]) -> ControlAnswer

  /// Handles a bulk transfer.
  ///
  /// - Parameter data: The bytes that the host wrote.
  /// - Returns: Whether the data was valid. If it was not, the transfer ends with a stall.
  mutating func bulk(_ data: ArraySlice<UInt8>) -> Bool

  /// Handles a reset of the device by the host.
  mutating func reset()
}

/// An emulated USB device for a virtual machine, as a state machine without I/O.
///
/// The caller passes the virtual machine's bytes in and sends the returned bytes back.
public struct RedirectedDevice<Function: USBFunction>: Sendable {
  /// The device-specific part.
  public var function: Function
  private var stream = RedirStream()
  private var configuration: UInt8 = 0
  private var hasConnected = false

  /// Creates a device that is not connected to a virtual machine yet.
  public init(_ function: Function) {
    self.function = function
  }

  /// The bytes to send first.
  public var opening: [UInt8] { RedirStream.hello("placard-lab") }

  /// Handles bytes from the virtual machine.
  ///
  /// - Parameter bytes: The received bytes, in any segmentation.
  /// - Throws: `USBDisplayError` if the virtual machine violates the protocol. The connection is then unusable.
  /// - Returns: The bytes to send back.
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
      guard !hasConnected else { throw USBDisplayError("it sent a second hello") }
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
    // Canceled transfers have already been answered. All other packet types are irrelevant to a display.
    default: return []
    }
  }

  private func configurationStatus(_ id: UInt64) -> RedirPacket {
    RedirPacket(.configurationStatus, id: id, [RedirStatus.success.rawValue, configuration])
  }

  // MARK: Device description

  /// The payload of the device-connect packet.
  ///
  /// Speed 2 is high speed.
  private var deviceConnect: [UInt8] {
    var bytes: [UInt8] = [2, 0, 0, 0]
    bytes.append(littleEndian: function.description.vendor)
    bytes.append(littleEndian: function.description.product)
    if stream.shared.contains(.deviceVersion) { bytes.append(littleEndian: USBDescription.version) }
    return bytes
  }

  /// The endpoint info and the interface info, in the order that the protocol requires.
  ///
  /// Of the 32 endpoint entries, the first 16 are OUT and the last 16 are IN.
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

  /// Answers standard requests of all devices.
  ///
  /// The host side of usbredir handles addresses and configurations itself.
  private func standardAnswer(_ request: ControlRequest) -> ControlAnswer? {
    guard request.type & 0x60 == 0 else { return nil }
    switch (request.isRead, request.request) {
    case (true, 0): return .data([0, 0])
    case (false, 1), (false, 3): return .taken
    case (true, 6):
      let (kind, index) = (UInt8(request.value >> 8), UInt8(request.value & 0xFF))
      // Answer standard descriptors here. Unknown descriptors may be vendor-specific.
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
