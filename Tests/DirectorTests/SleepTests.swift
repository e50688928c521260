import Displays
import Geometry
import Testing
import VirtualDisplays

/// What sleep means at the card in memory; it does as the kernel does.
struct SleepTests {
  private let card = VirtualCard(crtcs: 2, clock: { 7 })
  private let sleeping = SleepingOutput(connector: 101, name: "Virtual-1", crtc: 1)

  /// Plugs a monitor and lights it with a new buffer.
  private func light() async throws -> FrameBuffer {
    card.plug(VirtualMonitor(size: Size(640, 480), name: "sleeper"), into: "Virtual-1")
    let buffer = try await card.allocate(Size(640, 480))
    try await card.apply(lighting(buffer.id))
    return buffer
  }

  private func lighting(_ buffer: BufferID) -> ModesetPlan {
    let mode = Mode(size: Size(640, 480), refresh: 60000)
    return ModesetPlan(lit: [LitOutput(connector: 101, name: "Virtual-1", crtc: 1, mode: mode, buffer: buffer)])
  }

  /// Why a flip is refused; nil where it was taken.
  private func refusal(_ buffer: BufferID) -> CardError? {
    do throws(CardError) {
      try card.present(FlipRequest(crtc: 1, name: "Virtual-1", buffer: buffer))
      return nil
    } catch { return error }
  }

  @Test func `a sleeping display shows nothing and takes no flip, and keeps CRTC and mode`() async throws {
    let buffer = try await light()
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    #expect(card.glass("Virtual-1") == nil)
    #expect(refusal(buffer.id)?.reason == .refused)
    let snapshot = try await card.probe()
    #expect(snapshot.connectors.first?.currentCRTC == 1)
    #expect(snapshot.crtcs.first?.isActive == true)
    #expect(card.journal == ["light Virtual-1 640x480@60", "sleep Virtual-1"])
  }

  @Test func `light wakes it, with a flip event, and flips are taken again`() async throws {
    let first = try await light()
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    let second = try await card.allocate(Size(640, 480))
    try await card.apply(lighting(second.id))
    #expect(card.glass("Virtual-1")?.size == Size(640, 480))
    #expect(refusal(first.id) == nil)
    card.lose()
    var flips = 0
    for await event in card.events { if case .flipped = event { flips += 1 } }
    #expect(flips == 3)
  }

  @Test func `what sleeps can go dark, and what is dark cannot sleep`() async throws {
    _ = try await light()
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    try await card.apply(ModesetPlan(dark: [1]))
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    #expect(card.journal == ["light Virtual-1 640x480@60", "sleep Virtual-1", "dark 1"])
    #expect(try await card.probe().crtcs.first?.isActive == false)
  }

  @Test func `a sleep that fails leaves the display lit, as often as it was injected`() async throws {
    let buffer = try await light()
    card.inject(.failSleep(.busy), count: 1)
    await #expect(throws: CardError.self) { try await card.apply(ModesetPlan(asleep: [sleeping])) }
    #expect(card.glass("Virtual-1") != nil && refusal(buffer.id) == nil)
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    #expect(card.glass("Virtual-1") == nil)
  }
}
