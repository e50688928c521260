import SeededRandom
import Testing

@testable import USBDisplays

/// An adapter for the kernel's driver udl, tested with that driver's requests (kernel: drivers/gpu/drm/udl).
struct DisplayLinkTests {
  private static let edid = MonitorEDID.hdmi(width: 640, height: 480, name: "Small")

  private func register(_ number: UInt8, _ value: UInt8) -> [UInt8] { [0xAF, 0x20, number, value] }

  /// Returns the commands that set a mode, between a lock and an unlock of the registers.
  private func mode(_ width: Int, _ height: Int, blank: UInt8 = 0) -> [UInt8] {
    register(0xFF, 0) + register(0, 0) + (0x20...0x22).flatMap { register($0, 0) }
      + register(0x0F, UInt8(width >> 8)) + register(0x10, UInt8(width & 0xFF))
      + register(0x17, UInt8(height >> 8)) + register(0x18, UInt8(height & 0xFF))
      + register(0x1F, blank) + register(0xFF, 0xFF) + [0xAF, 0x6A, 0, 0, 0, 1, 0, 0, 0]
  }

  private func machine() throws -> Machine<DisplayLinkCard> { try Machine(DisplayLinkCard(serial: "usb1")) }

  @Test func `the adapter reports its capabilities, and its monitor's EDID byte by byte`() throws {
    var machine = try machine()
    #expect(machine.greeting.last?.payload.prefix(6) == [2, 0, 0, 0, 0xe9, 0x17])
    let descriptor = try machine.control(0x80, 6, value: 0x5F00, length: 64)
    #expect(descriptor.status == .success)
    #expect(descriptor.data == [12, 0x5F, 1, 0, 10, 0, 2, 4, 0, 0, 0x24, 0])
    #expect(try machine.control(0x40, 0x12, [UInt8](repeating: 1, count: 16)).status == .success)
    #expect(try machine.control(0xC0, 2, value: 0, length: 2).status == .stall, "no monitor is plugged in")
    machine.change { $0.connect(0, edid: Self.edid) }
    for place in [0, 1, 127, 128, 255] {
      #expect(try machine.control(0xC0, 2, value: UInt16(place) << 8, length: 2).data == [0, Self.edid[place]])
    }
    #expect(try machine.control(0xC0, 9, length: 2).status == .stall)
  }

  @Test func `pixels written before the mode are shown with it`() throws {
    var machine = try machine()
    machine.change { $0.connect(0, edid: Self.edid) }
    // Red, then three green pixels: one raw, and one repeated twice. Blue ends the row.
    let row: [UInt8] = [0xAF, 0x6B, 0, 0, 0, 5, 2, 0xF8, 0, 0x07, 0xE0, 2, 1, 0, 0x1F]
    #expect(try machine.bulk(row + [0xAF]) == .success)
    #expect(machine.change { $0.scanout(0) } == nil)
    #expect(try machine.bulk(mode(5, 2)) == .success)
    let rgb = try #require(machine.change { $0.scanout(0) }).rgb
    let expected: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255]
    #expect(rgb.prefix(15) == expected[...] && rgb.dropFirst(15).allSatisfy { $0 == 0 })
  }

  @Test func `raw pixels, runs and copies are written to their addresses`() throws {
    var machine = try machine()
    machine.change { $0.connect(0, edid: Self.edid) }
    #expect(try machine.bulk(mode(256, 3)) == .success)
    // A whole white row as one run, whose length is written as 0, then two raw red pixels below, and a copy of them.
    #expect(try machine.bulk([0xAF, 0x69, 0, 0, 0, 0, 0, 0xFF, 0xFF]) == .success)
    #expect(try machine.bulk([0xAF, 0x68, 0, 2, 0, 2, 0xF8, 0, 0xF8, 0]) == .success)
    #expect(try machine.bulk([0xAF, 0xAF, 0x6A, 0, 2, 0, 2, 0, 4, 4]) == .success)
    let rgb = try #require(machine.change { $0.scanout(0) }).rgb
    #expect(rgb.prefix(768).allSatisfy { $0 == 255 })
    #expect(rgb[768..<774] == [255, 0, 0, 255, 0, 0] && rgb[774] == 0)
    #expect(rgb[1536 + 6..<1536 + 12] == [255, 0, 0, 255, 0, 0])
    #expect(try machine.bulk(mode(256, 3, blank: 7)) == .success)
    #expect(machine.change { $0.scanout(0) } == nil, "the monitor is powered down")
  }

  @Test func `commands that are invalid, or exceed the memory, are refused`() throws {
    var machine = try machine()
    for wrong: [UInt8] in [
      [0x12], [0xAF, 0x99], [0xAF, 0x20, 1], [0xAF, 0x68, 0, 0, 0, 2, 1, 1], [0xAF, 0x6B, 0, 0, 0, 1, 2, 0, 0, 0, 0],
      [0xAF, 0x69, 0, 0, 0, 1, 2, 0, 0], [0xAF, 0x68, 0xFF, 0xFF, 0xFF, 1, 0, 0],
      [0xAF, 0x6A, 0xFF, 0, 0, 1, 0, 0, 0],
    ] {
      #expect(try machine.bulk(wrong) == .stall, "\(wrong)")
    }
    var random = SeededGenerator(seed: .random(in: 0 ... .max))
    for _ in 0..<5000 {
      let size = Int.random(in: 0...20, using: &random)
      let noise =
        (0..<size).map { _ in [0xAF, 0x6B, 0x68, 0x69, 0, 1, 255].randomElement(using: &random) ?? 0 } as [UInt8]
      _ = try machine.bulk(noise)
    }
    #expect(machine.change { $0.scanout(0) } == nil)
  }
}
