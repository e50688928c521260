import Configuration
import Control
import Director
import Displays
import Geometry
import JSON
import Testing
import VirtualDisplays

/// What may be plugged into the card in memory, whose frames are the service's own memory.
struct VirtualPlugTests {
  /// An EDID with a DisplayID timing of this size, or without any timing.
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

  private func refusal(_ rig: Rig, _ request: PlugRequest) async -> ControlError? {
    do throws(ControlError) {
      _ = try await rig.director.plug(request)
      return nil
    } catch { return error }
  }

  @Test func `an EDID without a mode is refused, and nothing is plugged in`() async throws {
    let rig = Rig()
    await rig.start()
    let error = await refusal(rig, PlugRequest(edid: edid(nil)))
    #expect(error?.kind == .invalid)
    #expect(error?.message.contains("the monitor lists no modes") == true, "\(error?.message ?? "it was plugged")")
    #expect(await rig.director.displays().isEmpty)
    #expect(await rig.director.health().state == .ok)
  }

  @Test(arguments: [Size(65536, 65536), Size(16384, 16384), Size(8192, 8192)])
  func `an EDID with modes above the limit alone is refused with the size and the limit`(size: Size) async throws {
    let rig = Rig()
    await rig.start()
    let error = await refusal(rig, PlugRequest(edid: edid(size)))
    #expect(error?.kind == .invalid)
    #expect(error?.message.contains("\(size) ") == true, "\(error?.message ?? "it was plugged")")
    #expect(await rig.director.displays().isEmpty)
  }

  @Test func `a size above the limit is refused with the limit, and the largest one is lit`() async throws {
    let rig = Rig(Settings(policy: .native, message: "Hello"))
    await rig.start()
    let error = await refusal(rig, PlugRequest(width: 16384, height: 16384))
    #expect(error?.kind == .invalid && error?.message.contains("35389440 (8192x4320)") == true)
    #expect(await refusal(rig, PlugRequest(width: 16385, height: 16))?.message.contains("16 to 16384") == true)
    #expect(try await rig.plug(3840, 2160).mode == "3840x2160@60")
  }

  @Test func `virtual monitors have a limit in all, which one that is replaced does not count for`() async throws {
    let rig = Rig(Settings(policy: .explicit(Size(640, 480)), message: "Hello"))
    await rig.start()
    for _ in 1...3 { try await rig.plug(3840, 2160) }
    let error = await refusal(rig, PlugRequest(width: 640, height: 480))
    #expect(error?.kind == .conflict && error?.message.contains("at most 24883200 pixels") == true)
    #expect(await rig.director.displays().count == 3)
    try await rig.plug(640, 480, into: "Virtual-2")
    try await rig.plug(640, 480)
  }

  @Test func `a monitor whose modes are all above the limit is dark with the size and the limit`() async throws {
    let rig = Rig()
    await rig.start()
    let huge = Mode(size: Size(16384, 16384), refresh: 60_000, isPreferred: true)
    rig.card.plug(VirtualMonitor(edid: [], modes: [huge]), into: "Virtual-1")
    try await rig.plug(640, 480, into: "Virtual-2")
    let report = await rig.display("Virtual-1")
    #expect(report?.state == "dark")
    #expect(report?.reason?.contains("16384x16384 has 268435456 pixels, and the limit is 35389440") == true)
    #expect(await rig.director.health().reasons.contains { $0.contains("the limit is 35389440 (8192x4320)") })
  }

  @Test func `a buffer above the limit is refused by the card`() async throws {
    let card = VirtualCard(clock: { 0 })
    await #expect(throws: CardError.self) { _ = try await card.allocate(Size(65536, 65536)) }
    await #expect(throws: CardError.self) { _ = try await card.allocate(Size(.max, .max)) }
  }
}
