import SeededRandom
import Testing

@testable import USBDisplays

/// USB redirection, and the requests that every device supports.
struct RedirectionTests {
  private func machine(knowing capabilities: RedirCapabilities = .own) throws -> Machine<GUDCard> {
    try Machine(GUDCard([.hdmi], serial: "usb1"), knowing: capabilities)
  }

  @Test func `a device sends hello, then its description, then its connection`() throws {
    let machine = try machine()
    #expect(machine.greeting.map(\.kind) == [5, 4, 1])
    #expect(machine.greeting[0].payload.count == 32 * 3 + 64)
    #expect(machine.greeting[1].payload.count == 4 + 32 * 4)
    #expect(machine.greeting[2].payload == [2, 0, 0, 0, 0x50, 0x1d, 0x4d, 0x61, 0, 1])
  }

  @Test func `a machine that supports only the first version gets shorter packets`() throws {
    var machine = try machine(knowing: [])
    #expect(machine.greeting.map(\.payload.count) == [96, 132, 8])
    #expect(try machine.control(0x80, 6, value: 0x0100, length: 18).data.count == 18)
  }

  @Test func `the descriptors are complete, and truncated to the requested length`() throws {
    var machine = try machine()
    let device = try machine.control(0x80, 6, value: 0x0100, length: 64)
    #expect(device.status == .success)
    #expect(device.data == [18, 1, 0, 2, 0, 0, 0, 64, 0x50, 0x1d, 0x4d, 0x61, 0, 1, 1, 2, 3, 1])
    #expect(try machine.control(0x80, 6, value: 0x0200, length: 9).data.count == 9)
    let configuration = try machine.control(0x80, 6, value: 0x0200, length: 255).data
    #expect(configuration.count == 25 && configuration[2] == 25)
    // Each descriptor starts at the end of the previous one: configuration, interface, endpoint.
    #expect(configuration[1] == 2 && configuration[9 + 1] == 4 && configuration[18 + 1] == 5)
    #expect(
      try machine.control(0x80, 6, value: 0x0303, length: 255).data == [10, 3] + "usb1".utf8.flatMap { [$0, 0] })
    #expect(try machine.control(0x80, 6, value: 0x0304, length: 255).status == .stall)
    #expect(try machine.control(0x80, 6, value: 0x2200, length: 255).status == .stall)
  }

  @Test func `configurations and alternate settings are answered, and interrupt transfers are refused`() throws {
    var machine = try machine()
    #expect(try machine.send(RedirPacket(.setConfiguration, id: 7, [1])).map(\.kind) == [5, 4, 8])
    #expect(
      try machine.send(RedirPacket(.getConfiguration, id: 8)) == [RedirPacket(.configurationStatus, id: 8, [0, 1])])
    #expect(try machine.send(RedirPacket(.reset)) == [])
    #expect(
      try machine.send(RedirPacket(.getConfiguration, id: 9)) == [RedirPacket(.configurationStatus, id: 9, [0, 0])])
    #expect(
      try machine.send(RedirPacket(.setAlternate, id: 10, [0, 0])) == [
        RedirPacket(.alternateStatus, id: 10, [0, 0, 0])
      ]
    )
    #expect(
      try machine.send(RedirPacket(.startInterruptReceiving, id: 11, [0x81]))
        == [RedirPacket(.interruptReceivingStatus, id: 11, [4, 0x81])])
  }

  @Test func `a stream may be split anywhere`() throws {
    let request = RedirPacket(.control, id: 5, [0x80, 6, 0x80, 0, 0, 1, 0, 0, 18, 0])
    var payload = [UInt8](repeating: 0, count: 64)
    payload.append(littleEndian: RedirCapabilities().rawValue)
    let bytes = RedirStream().bytes(of: RedirPacket(.hello, payload)) + RedirStream().bytes(of: request)
    var whole = RedirectedDevice(GUDCard([.hdmi], serial: "a"))
    let expected = try whole.receive(bytes)
    var random = SeededGenerator(seed: .random(in: 0 ... .max))
    for _ in 0..<20 {
      var device = RedirectedDevice(GUDCard([.hdmi], serial: "a"))
      var (answer, rest) = ([UInt8](), bytes[...])
      while !rest.isEmpty {
        let count = Int.random(in: 1...min(9, rest.count), using: &random)
        answer += try device.receive(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(answer == expected, "\(random.seed)")
    }
  }

  @Test func `an invalid peer is refused, and none of its packets ends the program`() throws {
    var device = RedirectedDevice(GUDCard([.hdmi], serial: "a"))
    #expect(throws: USBDisplayError("its first packet was not a hello")) {
      try device.receive([1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    }
    var other = RedirectedDevice(GUDCard([.hdmi], serial: "a"))
    #expect(throws: USBDisplayError("it sent a packet of 4294967295 bytes")) {
      try other.receive([0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0])
    }
    var random = SeededGenerator(seed: .random(in: 0 ... .max))
    for _ in 0..<200 {
      var machine = try machine()
      for _ in 0..<20 {
        let kinds: [UInt32] = [1, 2, 3, 6, 7, 9, 10, 15, 21, 23, 100, 101, 102, 999]
        let size = Int.random(in: 0...40, using: &random)
        let payload = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
        let kind = kinds.randomElement(using: &random) ?? 100
        // A truncated transfer is an error. All other packets have a reply or none.
        do { _ = try machine.send(RedirPacket(kind: kind, id: 1, payload: payload)) } catch let error as USBDisplayError
        {
          #expect(error.description.hasPrefix("it sent a"), "seed \(random.seed)")
          break
        }
      }
    }
  }
}
