import Configuration
import Control
import Director
import Displays
import Geometry
import JSON
import Testing
import VirtualDisplays

/// The limits of monitors on the card in memory, whose frames use the service's memory.
struct VirtualPlugTests {
  /// Returns an EDID with a DisplayID timing of a size, or without any timing.
  private func edid(_ size: Size?) -> String {
    var base: [UInt8] = [0, 255, 255, 255, 255, 255, 255, 0, 0x10, 0xac, 0xc4, 0xa0, 0x34, 0x12, 0, 0, 20, 31, 1, 4]
    base += [0xb5, 60, 34, 120, 0x02] + [UInt8](repeating: 0, count: 13) + [UInt8](repeating: 1, count: 16)
    base += [UInt8](repeating: 0, count: 126 - base.count) + [size == nil ? 0 : 1]
    base.append(0 &- base.reduce(0, &+))
    guard let size else { return Base64.encode(base) }
    var block: [UInt8] = [0x70, 0x12, 121, 0, 0, 0x03, 0, 20, 0x2f, 0x15, 0x01, 0x88]
    block += words(size.width - 1, 79, 7, 7) + words(size.height - 1, 61, 7, 7)
    block += [UInt8](repeating: 0, count: 127 - block.count)
    block.append(0 &- block.reduce(0, &+))
    return Base64.encode(base + block)
  }

  private func words(_ numbers: Int...) -> [UInt8] { numbers.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }

  private func refusal(_ harness: Harness, _ request: PlugRequest) async -> ControlError? {
    do throws(ControlError) {
      _ = try await harness.director.plug(request)
      return nil
    } catch { return error }
  }

  @Test func `an EDID without a mode is refused, and nothing is plugged in`() async throws {
    let harness = Harness()
    await harness.start()
    let error = await refusal(harness, PlugRequest(edid: edid(nil)))
    #expect(error?.kind == .invalid)
    #expect(error?.message.contains("the monitor lists no modes") == true, "\(error?.message ?? "it was plugged")")
    #expect(await harness.director.displays().isEmpty)
    #expect(await harness.director.health().state == .ok)
  }

  @Test(arguments: [Size(65536, 65536), Size(16384, 16384), Size(8192, 8192)])
  func `an EDID whose modes are all above the limit is refused with the size`(size: Size) async throws {
    let harness = Harness()
    await harness.start()
    let error = await refusal(harness, PlugRequest(edid: edid(size)))
    #expect(error?.kind == .invalid)
    #expect(error?.message.contains("\(size) ") == true, "\(error?.message ?? "it was plugged")")
    #expect(await harness.director.displays().isEmpty)
  }

  @Test func `a size above the limit is refused with the limit, and 3840x2160 is accepted`() async throws {
    let harness = Harness(Settings(policy: .native, message: "Hello"))
    await harness.start()
    let error = await refusal(harness, PlugRequest(width: 16384, height: 16384))
    #expect(error?.kind == .invalid && error?.message.contains("35389440 (8192x4320)") == true)
    #expect(await refusal(harness, PlugRequest(width: 16385, height: 16))?.message.contains("16 to 16384") == true)
    #expect(try await harness.plug(3840, 2160).mode == "3840x2160@60")
  }

  @Test func `all virtual monitors share a limit, for which a replaced one does not count`() async throws {
    let harness = Harness(Settings(policy: .explicit(Size(640, 480)), message: "Hello"))
    await harness.start()
    for _ in 1...3 { try await harness.plug(3840, 2160) }
    let error = await refusal(harness, PlugRequest(width: 640, height: 480))
    #expect(error?.kind == .conflict && error?.message.contains("at most 24883200 pixels") == true)
    #expect(await harness.director.displays().count == 3)
    try await harness.plug(640, 480, into: "Virtual-2")
    try await harness.plug(640, 480)
  }

  @Test func `a monitor whose modes are all above the limit is dark with the size and the limit`() async throws {
    let harness = Harness()
    await harness.start()
    let huge = Mode(size: Size(16384, 16384), refresh: 60_000, isPreferred: true)
    harness.card.plug(VirtualMonitor(edid: [], modes: [huge]), into: "Virtual-1")
    try await harness.plug(640, 480, into: "Virtual-2")
    let report = await harness.display("Virtual-1")
    #expect(report?.state == .dark)
    #expect(report?.reason?.contains("16384x16384 has 268435456 pixels, and the limit is 35389440") == true)
    #expect(await harness.director.health().reasons.contains { $0.contains("the limit is 35389440 (8192x4320)") })
  }

  @Test func `the card refuses a buffer above the limit`() async throws {
    let card = VirtualCard(clock: { 0 })
    await #expect(throws: CardError.self) { _ = try await card.allocate(Size(65536, 65536)) }
    await #expect(throws: CardError.self) { _ = try await card.allocate(Size(.max, .max)) }
  }
}
