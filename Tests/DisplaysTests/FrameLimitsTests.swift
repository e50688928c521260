import Displays
import Geometry
import Testing

@Suite struct FrameLimitsTests {
  @Test(arguments: [
    Size(7680, 4320), Size(8192, 4320), Size(4320, 8192), Size(7680, 4352), Size(3840, 2160), Size(16384, 2160),
    Size(1, 1),
  ])
  func `the frame sizes of common monitors are within the limits`(size: Size) {
    #expect(FrameLimits.refusal(of: size) == nil)
    #expect(throws: Never.self) { try FrameLimits.check(size, on: "card") }
  }

  @Test(
    "a frame above the limits is refused with its size and the limit",
    arguments: [
      (Size(65536, 65536), "65536x65536 is larger than 16384 pixels in one direction"),
      (Size(16385, 1), "16385x1 is larger than 16384 pixels in one direction"),
      (Size(16384, 16384), "16384x16384 has 268435456 pixels, and the limit is 35389440 (8192x4320)"),
      (Size(8192, 4321), "8192x4321 has 35397632 pixels, and the limit is 35389440 (8192x4320)"),
      (Size(.max, .max), "\(Int.max)x\(Int.max) is larger than 16384 pixels in one direction"),
      (Size(0, 1080), "0x1080 has no pixels"), (Size(-1, .min), "-1x\(Int.min) has no pixels"),
    ])
  func refusals(size: Size, reason: String) {
    #expect(FrameLimits.refusal(of: size) == reason)
    let error = #expect(throws: CardError.self) { try FrameLimits.check(size, on: "card0") }
    #expect(error?.reason == .refused && error?.description == "card0: allocate \(size): \(reason)")
  }

  @Test func `a mode above the limits is not a candidate and is rejected with the limit`() throws {
    let list = modes("*16384x16384@60", "12288x8192@60", "7680x4320@60", "1920x1080@60")
    let choice = try ModePolicy.native.choose(from: list, isEDIDPresent: true)
    #expect(choice.candidates.map { "\($0.mode)" } == ["7680x4320@60", "1920x1080@60"])
    #expect(choice.reasons.first?.hasPrefix("the monitor prefers 16384x16384@60, which cannot be used") == true)
    #expect(choice.rejected.prefix(2).allSatisfy { $0.reason.hasSuffix("the limit is 35389440 (8192x4320)") })
    let asked = try ModePolicy.explicit(Size(12288, 8192)).choose(from: list, isEDIDPresent: true)
    #expect(asked.mode == list[2] || asked.mode == list[3])
    #expect(list.requestable == Array(list.suffix(2)))
    #expect(FrameLimits.largest(of: list) == Size(7680, 4320))
  }

  @Test func `a monitor with only modes above the limits has no mode, with the size and the limit as reason`() {
    let error = #expect(throws: NoUsableMode.self) {
      try ModePolicy.legible.choose(from: modes("*16384x16384@60", "65536x2@60"), isEDIDPresent: true)
    }
    let reason = "16384x16384 has 268435456 pixels, and the limit is 35389440 (8192x4320)"
    #expect(error?.description == "no usable mode: none of the 2 modes can be used: \(reason)")
    #expect(error?.rejected.map(\.reason) == [reason, "65536x2 is larger than 16384 pixels in one direction"])
    let connector = ConnectorSnapshot(
      id: 1, name: "DP-1", kind: ConnectorKind(10), status: .connected, modes: modes("*16384x16384@60"), edid: [])
    #expect(!connector.isDisplayable && connector.modeRefusal?.contains(reason) == true)
  }
}
