import Configuration
import Control
import Director
import Displays
import Geometry
import Scenes
import Testing
import VirtualDisplays

@testable import Recording

/// What is recorded is decided again, and a difference is found.
struct ReplayTests {
  @Test func `plugs, messages and unplugs are decided again as they were`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(1280, 720)
    try await rig.plug(3840, 2160)
    for word in ["One", "Two", "Three", "Four", "Five", "Six"] { try await rig.show(word) }
    try await rig.director.unplug("Virtual-1")
    try await rig.plug(1920, 1080, into: "Virtual-1")
    try await rig.show("Seven")
    let bytes = await rig.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
    #expect(report.runs.first?.displays == ["Virtual-1", "Virtual-2"])
    #expect(report.runs.first?.decisions ?? 0 >= 8, "\(report)")
  }

  @Test func `another policy is told, with the mode that was and the mode that is`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(3840, 2160)
    try await rig.show("Hello")
    let report = try await replayed(await rig.end(), "--policy", "native")
    let difference = try #require(report.runs.first?.differences.first)
    #expect(difference.display == "Virtual-1" && report.runs[0].differences.count == 1, "\(report)")
    #expect(difference.recorded == "mode 1920x1080@60" && difference.now == "mode 3840x2160@60", "\(report)")
    #expect(report.lines.contains { $0.hasSuffix("Virtual-1: recorded mode 1920x1080@60, now mode 3840x2160@60") })
  }

  @Test func `modes that were refused are refused again`() async throws {
    let rig = Rig()
    await rig.start()
    rig.card.inject(.refuseSize(Size(1920, 1080)))
    rig.card.inject(.failCommit(.refused), count: 1)
    try await rig.plug(3840, 2160)
    try await rig.show("Hello")
    let bytes = await rig.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
    #expect(text(bytes).contains("injected"))
  }

  @Test func `a mode whose flip never came is stepped down again, without waiting for it`() async throws {
    let rig = Rig(patience: .init(flip: 2_000_000_000))
    await rig.start()
    rig.card.inject(.swallowFlip, count: 1)
    let events = await rig.director.events()
    try await rig.plug(1280, 720)
    await rig.waitWhile { director in !director.awaitsFlip("Virtual-1") }
    rig.clock.advance(2_100_000_000)
    for await event in events where event.kind == .messageShown { break }
    let bytes = await rig.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
    #expect(report.runs.first?.seconds ?? 0 > 2)
  }

  @Test func `a line that scrolls is frames that are counted, and decided again as they were`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    rig.card.beginVBlanks()
    var before = rig.card.flips
    let line = Scene(.ticker(Ticker("Gate 17 is boarding now"))).document
    _ = try await rig.director.open(OpenRequest(scene: line, display: "Virtual-1"))
    for _ in 0..<200 {
      await rig.waitWhile { [before] in rig.card.flips == before }
      before = rig.card.flips
      rig.clock.advance(16_666_667)
      rig.card.vblank()
    }
    await rig.waitWhile { [before] in rig.card.flips == before }
    try await rig.director.unplug("Virtual-1")
    let bytes = await rig.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
    // Less than a line for two of the 200 frames. How many there are depends on how often the director is behind.
    #expect(text(bytes).split(separator: "\n").count < 100, "\(text(bytes))")
  }

  @Test func `a card that is pulled, and probes and allocations that fail, are met again`() async throws {
    let rig = Rig()
    await rig.start()
    rig.card.inject(.failAllocation, after: 1)
    try await rig.plug(640, 480)
    try await rig.show("Next")
    await rig.waitWhile { director in director.state(of: "Virtual-1") != "dark" }
    rig.card.inject(.failAllocation, count: 0)
    try await rig.plug(800, 600)
    try await rig.show("Other")
    rig.card.lose()
    await rig.waitWhile { director in director.state(of: "Virtual-2") != "lost" }
    let bytes = await rig.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
  }

  @Test func `another monitor on the same socket, sleep, waking and a mode on trial are met again`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(1280, 720, into: "Virtual-1")
    try await rig.show("One")
    try await rig.plug(1920, 1080, into: "Virtual-1")
    try await rig.show("Two")
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    _ = try await rig.director.setAsleep(SleepRequest(asleep: false, display: "Virtual-1"))
    _ = try await rig.director.setMode("Virtual-1", ModeRequest(mode: "1280x720@60"))
    _ = try await rig.director.resetMode("Virtual-1")
    _ = try await rig.director.setMode("Virtual-1", ModeRequest(mode: "1024x768@60", keep: true))
    await rig.director.apply(Settings(policy: .native, message: "Hello"))
    try await rig.director.unplug("Virtual-1")
    try await rig.plug(1920, 1080, into: "Virtual-1")
    try await rig.show("Three")
    let bytes = await rig.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
    #expect(text(bytes).contains("\"chosenMode\":\"1024x768@60\""))
  }

  @Test func `more displays than CRTCs, and a busy card`() async throws {
    let rig = Rig(crtcs: 1)
    await rig.start()
    try await rig.plug(640, 480)
    try await rig.show("One")
    rig.card.inject(.busyFlip, count: 3)
    try await rig.show("Two")
    _ = try await rig.plug(800, 600)
    try await rig.director.unplug("Virtual-1")
    try await rig.show("Three")
    let bytes = await rig.end()
    let report = try await replayed(bytes)
    #expect(report.same, "\(report.lines)\n\(text(bytes))")
  }

  @Test func `a masked recording decides the same, and holds no serial number`() async throws {
    let settings = Settings(
      message: "Hello",
      monitors: [MonitorRule(match: MonitorMatch(serial: 0x1234_5678), policy: .explicit(Size(1280, 720)))])
    let rig = Rig(settings, isMasked: true)
    await rig.start()
    for (serial, name) in [(UInt32(0x1234_5678), "Virtual-1"), (0x1234_5678, "Virtual-2"), (0x8765_4321, "Virtual-3")] {
      _ = rig.card.plug(VirtualMonitor(serial: serial), into: name)
    }
    await rig.waitWhile { director in director.displays().count { $0.state == "lit" } < 3 }
    let (bytes, widths) = (rig.memory.bytes, await rig.director.displays().map(\.width))
    _ = await rig.end()
    #expect(widths == [1280, 1280, 1920])
    let report = try await replayed(bytes)
    #expect(report.same && report.runs[0].displays.count == 3, "\(report.lines)\n\(text(bytes))")
    #expect(!text(bytes).contains("\(0x1234_5678)"))
    let run = try #require(try RecordingReader.runs(of: bytes).first)
    let last = try #require(run.lines.compactMap { $0.answer.flatMap { run.snapshots[$0.n] } }.last)
    let identities = last.connectors.map(MonitorIdentity.init)
    #expect(identities.map(\.serial) == [1, 1, 2] && identities[0].text == identities[1].text)
  }

  @Test func `a service that was killed leaves a torn line, and the next goes on behind it`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(1280, 720)
    // Another text than the first picture's: what lit the monitor was told before, and is not in the torn line.
    try await rig.show("Hello again")
    let first = rig.memory.bytes
    _ = await rig.end()
    let report = try await replayed(first.dropLast(20) + [0x0a] + first)
    #expect(report.same && report.runs.count == 2, "\(report.lines)\n\(text(first))")
    #expect(report.runs[0].notes == ["lines that could not be read and were passed over: 1"])
  }

  @Test func `a mode that is set a little later than it was recorded is lit by its flip`() async throws {
    let report = try await replayed(recording("flip-before-replay"))
    #expect(report.same && report.runs.first?.decisions == 10, "\(report.lines)")
  }

  @Test func `a look that nobody recorded does not find what the replay itself has switched off`() async throws {
    let report = try await replayed(recording("look-before-unplug"))
    #expect(report.same && report.runs.first?.decisions == 20, "\(report.lines)")
  }

  @Test func `what is no recording, and what a newer Placard wrote, is refused in a sentence`() async throws {
    await #expect { try await replayed(Array("{}\n".utf8)) } throws: { error in
      (error as? ReplayFailure)?.status == 2 && "\(error)".contains("placardd --record FILE makes one")
    }
    let bytes = text(Rig().memory.bytes).replacing("\"recording\":1", with: "\"recording\":2")
    await #expect { try await replayed(Array(bytes.utf8)) } throws: { "\($0)".contains("use the Placard that") }
  }
}

extension VirtualMonitor {
  /// One of 1920x1080 that lists 1280x720, too, with this serial number.
  init(serial: UInt32) {
    var monitor = VirtualMonitor(size: Size(1920, 1080), name: "twin")
    for index in 0..<4 { monitor.edid[12 + index] = UInt8(truncatingIfNeeded: serial >> UInt32(8 * index)) }
    monitor.edid[127] = 0 &- monitor.edid[0..<127].reduce(0, &+)
    self = monitor
  }
}
