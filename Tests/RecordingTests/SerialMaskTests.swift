import Displays
import SeededRandom
import Testing

@testable import Recording

struct SerialMaskTests {
  /// Returns an EDID with a serial number and a text in the base block, and with the number in a DisplayID section.
  private func edid(serial: UInt32, text: String) -> [UInt8] {
    let number = (0..<4).map { UInt8(truncatingIfNeeded: serial >> UInt32(8 * $0)) }
    var base: [UInt8] = [0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x52, 0x74, 0x02, 0x01]
    base += number + [1, 30, 1, 4, 0x80, 60, 34, 120, 0x02] + [UInt8](repeating: 0, count: 13)
    base += [UInt8](repeating: 1, count: 16)
    base += [0x02, 0x3a, 0x80, 0x18, 0x71, 0x38, 0x2d, 0x40, 0x58, 0x2c, 0x45, 0x00, 0x58, 0x54, 0x21, 0, 0, 0x1e]
    base += [0, 0, 0, 0xff, 0] + Array((text + "\n            ").utf8.prefix(13))
    for _ in 0..<2 { base += [0, 0, 0, 0x10, 0] + [UInt8](repeating: 0, count: 13) }
    base.append(1)
    base.append(0 &- base.reduce(0, &+))
    let section: [UInt8] = [0x12, 15, 0, 0, 0x00, 0, 12, 0x52, 0x74, 0x20, 2, 1] + number + [1, 30, 0]
    var block = [0x70] + section + [0 &- section.reduce(0, &+)]
    block += [UInt8](repeating: 0, count: 127 - block.count)
    return base + block + [0 &- block.reduce(0, &+)]
  }

  @Test func `serial numbers and texts are masked everywhere, and all checksums are valid`() throws {
    var mask = SerialMask()
    let real = edid(serial: 0x1122_3344, text: "CN0ABC123")
    let masked = mask.mask(real)
    #expect(masked.count == real.count)
    for start in [0, 128] { #expect(masked[start..<start + 128].reduce(0, &+) == 0) }
    #expect(masked[129..<149].reduce(0, &+) == 0, "the checksum of the section")
    let identity = MonitorIdentity(edid: masked, connector: "DP-1")
    #expect(identity.serial == 1 && identity.serialString == "MASKED-1" && identity.vendor == "TST")
    #expect(Array(masked[141..<145]) == [1, 0, 0, 0])
    #expect(try EDID(masked).modes == EDID(real).modes)
  }

  @Test func `equal serial numbers stay equal after masking, and different ones stay different`() {
    var mask = SerialMask()
    let one = mask.mask(edid(serial: 7, text: "AAA"))
    #expect(mask.mask(edid(serial: 7, text: "AAA")) == one)
    #expect(mask.mask(edid(serial: 8, text: "AAA")) != one)
    #expect(mask.mask(edid(serial: 7, text: "BBB")) != one)
    let none = edid(serial: 0, text: " ")
    #expect(mask.mask(none) == none, "an EDID without a serial number stays unchanged")
  }

  @Test func `an invalid checksum stays invalid`() throws {
    var mask = SerialMask()
    var broken = edid(serial: 9, text: "CCC")
    broken[127] &+= 1
    #expect(try EDID(mask.mask(broken)).isDegraded)
  }

  @Test func `random bytes are masked without a crash, and keep their length`() {
    var random = SeededGenerator(seed: .random(in: 0 ... .max))
    for _ in 0..<2000 {
      var bytes = edid(serial: 5, text: "DDD") + [UInt8](repeating: 0x02, count: 128)
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      var mask = SerialMask()
      #expect(mask.mask(bytes).count == bytes.count, "seed \(random.seed)")
    }
  }

  @Test func `rules have masked serial numbers, and rules that cannot be masked are left out`() {
    var mask = SerialMask()
    let known = mask.number(for: 77)
    var settings = RecordedSettings(
      policy: "legible", rotation: 0, isAtomicAllowed: true, roles: [:],
      rules: [.init(serial: 77, serialText: "EEE", wishes: .init(policy: "native"))])
    let masked = mask.mask(settings)
    #expect(masked.rules.map(\.serial) == [known] && masked.rules.map(\.serialText) == ["MASKED-1"])
    settings.rules[0].identity = "TST-0102-1122334455667788"
    #expect(mask.mask(settings).rules.isEmpty && mask.mask(settings).areRulesMasked == true)
  }
}
