import Displays
import Geometry
import Testing

@testable import USBDisplays

/// A card for the kernel's driver gud, tested with that driver's requests (kernel: drivers/gpu/drm/gud).
struct GUDTests {
  private static let edid = MonitorEDID.hdmi(width: 64, height: 4, name: "Small")

  private func machine(_ formats: [PixelBuffer.Format] = [.xrgb8888]) throws -> Machine<GUDCard> {
    try Machine(GUDCard([.hdmi, .displayPort], formats: formats, largestSize: (4096, 2160), serial: "usb1"))
  }

  /// Returns a struct gud_state_req.
  private func state(_ width: Int, _ height: Int, format: UInt8 = 0x80, connector: UInt8 = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32(25_000))
    for length in [width, width + 8, width + 40, width + 160, height, height + 3, height + 8, height + 30] {
      bytes.append(littleEndian: UInt16(length))
    }
    bytes.append(littleEndian: UInt32(0))
    return bytes + [format, connector]
  }

  /// Returns a struct gud_set_buffer_req.
  private func buffer(_ x: Int, _ y: Int, _ width: Int, _ height: Int, length: Int, compression: UInt8 = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in [x, y, width, height, length] { bytes.append(littleEndian: UInt32(number)) }
    bytes.append(compression)
    bytes.append(littleEndian: UInt32(0))
    return bytes
  }

  /// Enables a connector as the driver does: controller, check, commit, display.
  private func light(_ machine: inout Machine<GUDCard>, _ state: [UInt8]) throws {
    #expect(try machine.control(0x41, 0x61, state).status == .success)
    #expect(try machine.control(0x41, 0x63, [1]).status == .success)
    #expect(try machine.control(0x41, 0x62).status == .success)
    #expect(try machine.control(0x41, 0x64, [1]).status == .success)
  }

  @Test func `the card reports its size, formats and connectors`() throws {
    var machine = try machine([.xrgb8888, .rgb565])
    let descriptor = try machine.control(0xC1, 0x01, length: 30).data
    #expect(descriptor.count == 30 && descriptor.prefix(5) == [0x4d, 0x61, 0x50, 0x1d, 1])
    #expect(descriptor.suffix(16) == [1, 0, 0, 0, 0, 16, 0, 0, 1, 0, 0, 0, 112, 8, 0, 0])
    #expect(try machine.control(0xC1, 0x40, length: 32).data == [0x80, 0x40])
    #expect(try machine.control(0xC1, 0x50, length: 160).data == [7, 1, 0, 0, 0, 6, 1, 0, 0, 0])
    let properties = try machine.control(0xC1, 0x51, value: 1, length: 320)
    #expect(properties.status == .success && properties.data.isEmpty)
  }

  @Test func `plugging, swapping and unplugging a monitor is each reported once`() throws {
    var machine = try machine()
    func status(_ number: UInt16) throws -> [UInt8] { try machine.control(0xC1, 0x54, value: number, length: 1).data }
    #expect(try status(1) == [0])
    machine.change { $0.connect(1, edid: Self.edid) }
    #expect(try status(1) == [0x81])
    #expect(try status(1) == [0x01])
    #expect(try status(0) == [0])
    #expect(try machine.control(0xC1, 0x56, value: 1, length: 2048).data == Self.edid)
    machine.change { $0.connect(1, edid: []) }
    #expect(try status(1) == [0x81])
    #expect(try machine.control(0xC1, 0x56, value: 1, length: 2048).data.isEmpty)
    machine.change { $0.disconnect(1) }
    #expect(try status(1) == [0x80])
  }

  @Test func `unsupported requests are refused with a reason`() throws {
    var machine = try machine()
    func refusal(_ type: UInt8, _ request: UInt8, value: UInt16 = 0, _ data: [UInt8] = []) throws -> [UInt8] {
      #expect(try machine.control(type, request, value: value, length: 64, data).status == .stall)
      return try machine.control(0xC1, 0x00, length: 1).data
    }
    #expect(try refusal(0x41, 0x61, state(5000, 4)) == [4])
    #expect(try refusal(0x41, 0x61, state(64, 4, format: 0x40)) == [4])
    #expect(try refusal(0x41, 0x61, state(64, 4, connector: 2)) == [4])
    #expect(try refusal(0x41, 0x61, [1, 2, 3]) == [3])
    #expect(try refusal(0x41, 0x62) == [4], "no state was checked before")
    #expect(try refusal(0x41, 0x60, buffer(0, 0, 1, 1, length: 4)) == [4], "no mode is set")
    #expect(try refusal(0xC1, 0x54, value: 9) == [4])
    #expect(try refusal(0xC1, 0x77) == [2])
    #expect(try refusal(0x41, 0x64, []) == [3])
    #expect(try machine.control(0xC1, 0x40, length: 32).status == .success)
    #expect(try machine.control(0xC1, 0x00, length: 1).data == [0])
  }

  @Test func `the monitor shows the sent pixels at their position`() throws {
    var machine = try machine()
    machine.change { $0.connect(0, edid: Self.edid) }
    try light(&machine, state(64, 4))
    let dark = try #require(machine.change { $0.scanout(0) })
    let changes = machine.change { $0.changes }
    #expect(dark.width == 64 && dark.height == 4 && dark.bytes.allSatisfy { $0 == 0 })
    #expect(try machine.control(0x41, 0x60, buffer(62, 1, 2, 2, length: 16)).status == .success)
    let pixels: [UInt8] = [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 0]
    #expect(try machine.bulk(pixels) == .success)
    #expect(machine.change { $0.changes } > changes)
    let scanout = try #require(machine.change { $0.scanout(0) })
    let rgb = scanout.rgb
    #expect(rgb[(64 + 62) * 3..<(64 + 64) * 3] == [3, 2, 1, 6, 5, 4])
    #expect(rgb[(128 + 62) * 3..<(128 + 64) * 3] == [9, 8, 7, 12, 11, 10])
    #expect(rgb.filter { $0 != 0 }.count == 12)
    #expect(machine.change { $0.scanout(1) } == nil, "the other monitor gets no signal")
    #expect(machine.change { $0.pixelBytes } == 16)
  }

  @Test func `pixels may arrive in pieces, and unexpected ones are refused`() throws {
    var machine = try machine([.rgb565])
    machine.change { $0.connect(0, edid: Self.edid) }
    try light(&machine, state(4, 2, format: 0x40))
    #expect(try machine.bulk([1, 2]) == .stall)
    #expect(try machine.control(0x41, 0x60, buffer(0, 0, 4, 2, length: 16)).status == .success)
    #expect(try machine.bulk([0xFF, 0xFF] + [UInt8](repeating: 0, count: 8)) == .success)
    #expect(try machine.bulk([0, 0, 0, 0, 0x00, 0xF8], endpoint: 2) == .stall)
    #expect(try machine.bulk([0, 0, 0, 0, 0x00, 0xF8]) == .success)
    #expect(try machine.bulk([1, 2]) == .stall)
    let rgb = try #require(machine.change { $0.scanout(0) }).rgb
    #expect(rgb.prefix(3) == [255, 255, 255] && rgb.suffix(3) == [255, 0, 0])
    for wrong in [buffer(1, 0, 4, 2, length: 16), buffer(0, 0, 4, 2, length: 15), buffer(0, 0, 0, 0, length: 0)] {
      #expect(try machine.control(0x41, 0x60, wrong).status == .stall)
    }
    #expect(try machine.control(0x41, 0x60, buffer(0, 0, 4, 2, length: 16, compression: 1)).status == .stall)
    #expect(try machine.control(0x41, 0x60, buffer(1 << 31, 1 << 31, 1 << 31, 1 << 31, length: 16)).status == .stall)
  }

  @Test func `a monitor is dark without a signal, asleep, unplugged, and after a reset`() throws {
    var machine = try machine()
    machine.change { $0.connect(0, edid: Self.edid) }
    #expect(machine.change { $0.scanout(0) } == nil)
    try light(&machine, state(64, 4))
    #expect(machine.change { $0.scanout(0) } != nil)
    for request: UInt8 in [0x63, 0x64] {
      _ = try machine.control(0x41, request, [0])
      #expect(machine.change { $0.scanout(0) } == nil)
      _ = try machine.control(0x41, request, [1])
      #expect(machine.change { $0.scanout(0) } != nil)
    }
    machine.change { $0.disconnect(0) }
    #expect(machine.change { $0.scanout(0) } == nil)
    machine.change { $0.connect(0, edid: Self.edid) }
    #expect(machine.change { $0.scanout(0) } != nil, "the machine has not noticed the unplug and still sends")
    _ = try machine.send(RedirPacket(.reset))
    #expect(machine.change { $0.scanout(0) } == nil)
    #expect(machine.change { $0.isConnected(0) })
  }

  @Test func `a large transfer is one packet`() throws {
    var machine = try machine()
    machine.change { $0.connect(0, edid: Self.edid) }
    try light(&machine, state(1024, 256))
    let pixels = [UInt8](repeating: 7, count: 1 << 20)
    #expect(try machine.control(0x41, 0x60, buffer(0, 0, 1024, 256, length: pixels.count)).status == .success)
    #expect(try machine.bulk(pixels) == .success)
    #expect(machine.change { $0.scanout(0) }?.bytes == pixels)
  }

  @Test(arguments: [(1920, 1080), (3840, 2160), (640, 480), (1080, 1920)])
  func `a generated EDID has its size, its name and its checksums`(width: Int, height: Int) throws {
    let bytes = MonitorEDID.hdmi(width: width, height: height, name: "Lobby", serial: 7)
    #expect(bytes.count == 256)
    #expect(bytes.prefix(128).reduce(0, &+) == 0 && bytes.suffix(128).reduce(0, &+) == 0)
    let edid = try EDID(bytes)
    let mode = try #require(edid.modes.first { $0.isPreferred })
    #expect(mode.size == Size(width, height))
  }
}
