import Configuration
import Control
import Director
import Displays
import Geometry
import Scenes
import Testing
import VirtualDisplays

@testable import Recording

/// Replays, which repeat the recorded decisions and report each difference.
struct ReplayTests {
  @Test func `a replay repeats the decisions for plugs, messages and unplugs`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(1280, 720)
    try await harness.plug(3840, 2160)
    for word in ["One", "Two", "Three", "Four", "Five", "Six"] { try await harness.show(word) }
    try await harness.director.unplug("Virtual-1")
    try await harness.plug(1920, 1080, into: "Virtual-1")
    try await harness.show("Seven")
    let bytes = await harness.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
    #expect(report.runs.first?.displays == ["Virtual-1", "Virtual-2"])
    #expect(report.runs.first?.decisions ?? 0 >= 8, "\(report)")
  }

  @Test func `a replay with another policy reports the recorded and the new mode`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(3840, 2160)
    try await harness.show("Hello")
    let report = try await replayed(await harness.end(), "--policy", "native")
    let difference = try #require(report.runs.first?.differences.first)
    #expect(difference.display == "Virtual-1" && report.runs[0].differences.count == 1, "\(report)")
    #expect(difference.recorded == "mode 1920x1080@60" && difference.now == "mode 3840x2160@60", "\(report)")
    #expect(report.lines.contains { $0.hasSuffix("Virtual-1: recorded mode 1920x1080@60, now mode 3840x2160@60") })
  }

  @Test func `a replay repeats the decisions after refused modes`() async throws {
    let harness = Harness()
    await harness.start()
    harness.card.inject(.refuseSize(Size(1920, 1080)))
    harness.card.inject(.failCommit(.refused), count: 1)
    try await harness.plug(3840, 2160)
    try await harness.show("Hello")
    let bytes = await harness.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
    #expect(text(bytes).contains("injected"))
  }

  @Test func `a replay repeats the fallback after a missing flip`() async throws {
    let harness = Harness(patience: .init(flip: 2_000_000_000))
    await harness.start()
    harness.card.inject(.swallowFlip, count: 1)
    let events = await harness.director.events()
    try await harness.plug(1280, 720)
    await harness.waitWhile { director in !director.awaitsFlip("Virtual-1") }
    harness.clock.advance(2_100_000_000)
    for await event in events where event.kind == .messageShown { break }
    let bytes = await harness.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
    #expect(report.runs.first?.seconds ?? 0 > 2)
  }

  @Test func `a replay repeats a scrolling line, whose frames are recorded as counts`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    harness.card.beginVBlanks()
    var before = harness.card.flips
    let line = Scene(.ticker(Ticker("Gate 17 is boarding now"))).document
    _ = try await harness.director.open(OpenRequest(scene: line, display: "Virtual-1"))
    for _ in 0..<200 {
      await harness.waitWhile { [before] in harness.card.flips == before }
      before = harness.card.flips
      harness.clock.advance(16_666_667)
      harness.card.vblank()
    }
    await harness.waitWhile { [before] in harness.card.flips == before }
    try await harness.director.unplug("Virtual-1")
    let bytes = await harness.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
    // There is less than one line for two of the 200 frames. The number depends on the delays of the director.
    #expect(text(bytes).split(separator: "\n").count < 100, "\(text(bytes))")
  }

  @Test func `a replay repeats failed allocations and a removed card`() async throws {
    let harness = Harness()
    await harness.start()
    harness.card.inject(.failAllocation, after: 1)
    try await harness.plug(640, 480)
    try await harness.show("Next")
    await harness.waitWhile { director in director.state(of: "Virtual-1") != .dark }
    harness.card.inject(.failAllocation, count: 0)
    try await harness.plug(800, 600)
    try await harness.show("Other")
    harness.card.lose()
    await harness.waitWhile { director in director.state(of: "Virtual-2") != .lost }
    let bytes = await harness.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
  }

  @Test func `a replay repeats another monitor on a socket, sleep, waking and a pending mode`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(1280, 720, into: "Virtual-1")
    try await harness.show("One")
    try await harness.plug(1920, 1080, into: "Virtual-1")
    try await harness.show("Two")
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    _ = try await harness.director.setAsleep(SleepRequest(asleep: false, display: "Virtual-1"))
    _ = try await harness.director.setMode("Virtual-1", ModeRequest(mode: "1280x720@60"))
    _ = try await harness.director.resetMode("Virtual-1")
    _ = try await harness.director.setMode("Virtual-1", ModeRequest(mode: "1024x768@60", keep: true))
    await harness.director.apply(Settings(policy: .native, message: "Hello"))
    try await harness.director.unplug("Virtual-1")
    try await harness.plug(1920, 1080, into: "Virtual-1")
    try await harness.show("Three")
    let bytes = await harness.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
    #expect(text(bytes).contains("\"chosenMode\":\"1024x768@60\""))
  }

  @Test func `a replay repeats a busy card and more displays than CRTCs`() async throws {
    let harness = Harness(crtcs: 1)
    await harness.start()
    try await harness.plug(640, 480)
    try await harness.show("One")
    harness.card.inject(.busyFlip, count: 3)
    try await harness.show("Two")
    _ = try await harness.plug(800, 600)
    try await harness.director.unplug("Virtual-1")
    try await harness.show("Three")
    let bytes = await harness.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
  }

  @Test func `a masked recording gives the same decisions and contains no serial number`() async throws {
    let settings = Settings(
      message: "Hello",
      monitors: [MonitorRule(match: MonitorMatch(serial: 0x1234_5678), policy: .explicit(Size(1280, 720)))])
    let harness = Harness(settings, isMasked: true)
    await harness.start()
    for (serial, name) in [(UInt32(0x1234_5678), "Virtual-1"), (0x1234_5678, "Virtual-2"), (0x8765_4321, "Virtual-3")] {
      _ = harness.card.plug(VirtualMonitor(serial: serial), into: name)
    }
    await harness.waitWhile { director in director.displays().count { $0.state == .lit } < 3 }
    let (bytes, widths) = (harness.memory.bytes, await harness.director.displays().map(\.width))
    _ = await harness.end()
    #expect(widths == [1280, 1280, 1920])
    let report = try await replayed(bytes)
    #expect(report.same && report.runs[0].displays.count == 3, "\(report.lines)\n\(text(bytes))")
    #expect(!text(bytes).contains("\(0x1234_5678)"))
    let run = try #require(try RecordingReader.runs(of: bytes).first)
    let last = try #require(run.lines.compactMap { $0.answer.flatMap { run.snapshots[$0.n] } }.last)
    let identities = last.connectors.map(MonitorIdentity.init)
    #expect(identities.map(\.serial) == [1, 1, 2] && identities[0].text == identities[1].text)
  }

  @Test func `a replay skips the incomplete line of a killed service, and reads the next run`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(1280, 720)
    // This text differs from the first frame's, so the incomplete line does not have the flip that lit the monitor.
    try await harness.show("Hello again")
    let first = harness.memory.bytes
    _ = await harness.end()
    let report = try await replayed(first.dropLast(20) + [0x0a] + first)
    #expect(report.same && report.runs.count == 2, "\(report.lines)\n\(text(first))")
    #expect(report.runs[0].notes == ["lines that could not be read and were passed over: 1"])
  }

  @Test func `a replay whose modeset is later than the recorded one lights the display by its flip`() async throws {
    let report = try await replayed(recording("flip-before-replay"))
    #expect(report.same && report.runs.first?.decisions == 10, "\(report.lines)")
  }

  @Test func `a probe that was not recorded does not find outputs that the replay has disabled`() async throws {
    let report = try await replayed(recording("look-before-unplug"))
    #expect(report.same && report.runs.first?.decisions == 20, "\(report.lines)")
  }

  @Test func `a file that is not a recording or has a newer format is refused with the next step`() async throws {
    await #expect { try await replayed(Array("{}\n".utf8)) } throws: { error in
      (error as? ReplayFailure)?.status == 2 && "\(error)".contains("placardd --record FILE makes one")
    }
    let bytes = text(Harness().memory.bytes).replacing("\"recording\":1", with: "\"recording\":2")
    await #expect { try await replayed(Array(bytes.utf8)) } throws: { "\($0)".contains("use the Placard that") }
  }
}

extension VirtualMonitor {
  /// Creates a monitor of 1920x1080 with a serial number. It also lists 1280x720.
  init(serial: UInt32) {
    var monitor = VirtualMonitor(size: Size(1920, 1080), name: "twin")
    for index in 0..<4 { monitor.edid[12 + index] = UInt8(truncatingIfNeeded: serial >> UInt32(8 * index)) }
    monitor.edid[127] = 0 &- monitor.edid[0..<127].reduce(0, &+)
    self = monitor
  }
}
