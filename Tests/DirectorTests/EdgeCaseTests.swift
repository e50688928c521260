import Configuration
import Control
import Displays
import Geometry
import Testing
import VirtualDisplays

@testable import Director

/// The rows of Tests/EDGE-CASES.md that no other test checks. The number of the row ends the test's name.
struct EdgeCaseTests {
  private func harness(_ monitors: (Int, Int)...) async throws -> Harness {
    let harness = Harness()
    await harness.start()
    for (width, height) in monitors { try await harness.plug(width, height) }
    await harness.rest()
    return harness
  }

  /// Waits until a display presents a text.
  private func see(_ text: String, _ harness: Harness, on display: String = "Virtual-1") async {
    await harness.wait { await harness.display(display)?.message == text }
  }

  private func state(_ display: String, _ harness: Harness) async -> String {
    let report = await harness.display(display)
    return [report?.state.rawValue, report?.cause?.rawValue].compactMap(\.self).joined(separator: " ")
  }

  // MARK: Probes

  @Test func `messages, sleep and reloads cause no probe (6)`() async throws {
    let harness = try await harness((320, 240))
    let before = harness.card.probes
    for number in 0..<20 { _ = try await harness.show("\(number)") }
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    _ = try await harness.director.setAsleep(SleepRequest(asleep: false))
    await harness.director.apply(Settings(message: "Another"))
    await harness.rest()
    #expect(harness.card.probes == before)
  }

  @Test func `a thousand hotplug events during a probe cause one more probe (37)`() async throws {
    let harness = try await harness((320, 240))
    let (gate, opener) = AsyncStream<Void>.makeStream()
    harness.card.during(.probe) { for await _ in gate { break } }
    let (before, asked) = (harness.card.probes, await harness.director.hotplugEvents)
    for _ in 0..<1000 { harness.card.hint() }
    await harness.waitWhile { director in director.hotplugEvents < asked + 1000 }
    opener.finish()
    await harness.director.probeAll()
    #expect(harness.card.probes - before <= 3)
    #expect(harness.modesets == ["light Virtual-1 320x240@60"])
    #expect(await state("Virtual-1", harness) == "lit")
  }

  @Test func `a failed probe is retried by itself, and logged once`() async throws {
    let harness = try await harness()
    harness.card.inject(.failProbe(.busy), count: 2)
    harness.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"))
    await see("Hello", harness)
    #expect(harness.log.complaints.filter { $0.contains("trying again") }.count == 1, "\(harness.log.complaints)")
  }

  // MARK: EDIDs and modes that arrive late or are lost

  @Test func `modes that arrive late are found by a retry, and the monitor shows its message (7)`() async throws {
    let harness = try await harness((320, 240))
    _ = try await harness.show("Mine", on: "Virtual-1")
    try await harness.director.unplug("Virtual-1")
    harness.card.reshape("Virtual-1") { ($0.edid, $0.modes) = ([], []) }
    _ = harness.card.plug(Size(320, 240), into: "Virtual-1")
    await harness.wait { await state("Virtual-1", harness) == "dark noMode" }
    harness.card.reshape("Virtual-1", isReported: false, nil)
    await harness.director.renewRetryBudget()
    await see("Mine", harness)
    #expect(await harness.director.status().problems.isEmpty)
  }

  @Test func `a late EDID identifies the monitor, which gets its message and its mode (8)`() async throws {
    let harness = try await harness((1280, 720))
    _ = try await harness.show("Mine", on: "Virtual-1")
    try await harness.director.unplug("Virtual-1")
    harness.card.reshape("Virtual-1") { ($0.edid, $0.modes) = ([], [Mode(size: Size(1024, 768), refresh: 60000)]) }
    _ = harness.card.plug(Size(1280, 720), into: "Virtual-1")
    await see("Hello", harness)
    #expect(await harness.display("Virtual-1")?.width == 1024, "a provisional mode comes first")
    harness.card.reshape("Virtual-1", nil)
    await see("Mine", harness)
    #expect(await harness.display("Virtual-1")?.width == 1280)
    #expect(await harness.director.sessions().filter { $0.display != nil }.count == 1)
  }

  @Test func `a short loss of the EDID causes no modeset of a lit display (8)`() async throws {
    let harness = try await harness((1280, 720))
    harness.card.reshape("Virtual-1") { ($0.edid, $0.modes) = ([], [Mode(size: Size(1024, 768), refresh: 60000)]) }
    await harness.director.probeAll()
    #expect(await harness.display("Virtual-1")?.mode == "1280x720@60")
    harness.card.reshape("Virtual-1", nil)
    await harness.director.probeAll()
    await harness.rest()
    #expect(harness.modesets == ["light Virtual-1 1280x720@60"])
    #expect(await harness.director.sessions().count == 1)
  }

  @Test func `a lasting loss of the EDID leads to the modes that are listed without it (8)`() async throws {
    let harness = try await harness((1280, 720))
    harness.card.reshape("Virtual-1") { ($0.edid, $0.modes) = ([], [Mode(size: Size(1024, 768), refresh: 60000)]) }
    await harness.director.probeAll()
    await harness.director.exhaustRetryBudget()
    await harness.director.probeAll()
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.mode == "1024x768@60")
  }

  @Test func `another EDID under the status connected is a new monitor; its neighbor does not blink (9)`()
    async throws
  {
    let harness = try await harness((640, 480), (320, 240))
    _ = try await harness.show("First", on: "Virtual-1")
    harness.card.plug(VirtualMonitor(size: Size(640, 480), name: "other"), into: "Virtual-1")
    await see("Hello", harness)
    #expect(harness.modesets.filter { $0.contains("Virtual-2") }.count == 1)
    _ = harness.card.plug(Size(640, 480), into: "Virtual-1")
    await see("First", harness)
  }

  @Test func `a bad link causes a modeset with the same mode; its neighbor does not blink (10)`() async throws {
    let harness = try await harness((640, 480), (320, 240))
    _ = try await harness.show("Mine", on: "Virtual-1")
    harness.card.reshape("Virtual-1") { $0.isLinkBad = true }
    await harness.director.probeAll()
    harness.card.reshape("Virtual-1", nil)
    await harness.director.probeAll()
    await harness.rest()
    let lights = harness.modesets.filter { $0.hasPrefix("light Virtual-1") }
    #expect(lights.count >= 2 && Set(lights) == ["light Virtual-1 640x480@60"], "\(lights)")
    #expect(harness.modesets.filter { $0.contains("Virtual-2") }.count == 1)
    #expect(await harness.display("Virtual-1")?.message == "Mine")
  }

  // MARK: Modesets

  @Test func `a monitor whose mode is refused does not keep one that starts with it dark (12)`() async throws {
    let harness = Harness()
    let only = VirtualMonitor(edid: [], modes: [Mode(size: Size(400, 300), refresh: 60000)])
    harness.card.plug(only, into: "Virtual-1")
    harness.card.plug(VirtualMonitor(size: Size(320, 240), name: "good"), into: "Virtual-2")
    harness.card.inject(.refuseSize(Size(400, 300)))
    await harness.start()
    #expect(await harness.darkness(of: "Virtual-1")?.cause == .refused)
    #expect(await state("Virtual-2", harness) == "lit")
    harness.card.inject(.refuseSize(Size(400, 300)), count: 0)
    await harness.director.renewRetryBudget()
    await see("Hello", harness)
    #expect(harness.modesets.filter { $0.contains("Virtual-2") } == ["light Virtual-2 320x240@60"])
  }

  @Test func `a modeset that fails because the card is busy is retried by itself (15)`() async throws {
    let harness = try await harness()
    harness.card.inject(.fail(.light, .busy), count: 1)
    _ = try await harness.plug(320, 240)
    await see("Hello", harness)
    #expect(await harness.director.status().problems.isEmpty)
  }

  @Test func `flips that complete immediately cause no busy loop (18)`() async throws {
    let harness = try await harness((320, 240))
    _ = try await harness.show("One")
    let before = harness.card.journal.count
    await harness.drain()
    let isArmed = await harness.director.awaitsFlip("Virtual-1")
    #expect(harness.card.journal.count == before && !isArmed)
    for number in 0..<10 { _ = try await harness.show("\(number)") }
    #expect(harness.card.journal.count - before == 10, "one flip for each message")
  }

  @Test func `an unplug disables the CRTC, and a replug sets the mode again (29, 30)`() async throws {
    let harness = try await harness((320, 240))
    try await harness.director.unplug("Virtual-1")
    try await harness.plug(320, 240)
    #expect(harness.modesets == ["light Virtual-1 320x240@60", "dark 1", "light Virtual-1 320x240@60"])
  }

  @Test func `a CRTC that could not be disabled is disabled later (29)`() async throws {
    let harness = try await harness((320, 240))
    harness.card.inject(.fail(.darken, .busy), count: 1)
    try await harness.director.unplug("Virtual-1")
    await harness.waitWhile { harness.card.enabledCRTCs > 0 }
    #expect(harness.log.complaints.contains { $0.contains("could not be switched off") })
  }

  @Test func `a display whose flip is missing does not delay another one (40)`() async throws {
    let harness = try await harness((320, 240), (400, 300))
    harness.card.inject(.swallowFlip, count: 1)
    _ = try await harness.director.setMessage(MessageRequest(text: "Late", display: "Virtual-1"))
    await harness.waitWhile { harness.card.injectedFaultCount == 0 }
    for number in 0..<5 {
      #expect(try await harness.show("\(number)", on: "Virtual-2").shown.map(\.display) == ["Virtual-2"])
    }
    #expect(await harness.display("Virtual-1")?.message == "Hello")
  }

  @Test func `a mode that fails repeatedly is logged once, and again after it was lit in between`() async throws {
    let harness = try await harness()
    func complaints() -> [String] { harness.log.complaints.filter { $0.hasPrefix("Virtual-1: ") } }
    for round in 1...2 {
      let before = harness.card.injectedFaultCount
      harness.card.inject(.failCommit(.busy), count: 3)
      harness.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"), into: "Virtual-1")
      await see("Hello", harness)
      #expect(harness.card.injectedFaultCount == before + 3)
      #expect(complaints().filter { $0.contains("could not be set") }.count == round, "\(complaints())")
      #expect(complaints().filter { $0.contains(": dark: ") }.count == round, "\(complaints())")
      harness.card.unplug("Virtual-1")
      await harness.wait { await harness.display("Virtual-1")?.state ?? .disconnected == .disconnected }
    }
  }

  // MARK: DRM master and cards

  @Test(arguments: [true, false])
  func `displays wait for another DRM master, and all modes are set again after it (19)`(
    isReported: Bool
  ) async throws {
    let harness = try await harness((320, 240), (400, 300))
    harness.card.setMaster(false)
    await harness.wait { await harness.director.displays().allSatisfy { $0.cause == .noMaster } }
    #expect(
      try await harness.show("After").notShown.allSatisfy { $0.contains("another program is DRM master of memory") })
    await harness.director.probeAll()
    #expect(harness.log.complaints.filter { $0.contains("trying again") }.count == 1)
    harness.card.setMaster(true, isReported: isReported)
    await see("After", harness)
    await see("After", harness, on: "Virtual-2")
    #expect(harness.modesets.filter { $0.hasPrefix("light") }.count == 4)
    #expect(await harness.director.status().problems.isEmpty)
  }

  @Test func `a flip that fails without DRM master is not waited for (17)`() async throws {
    let harness = try await harness((320, 240))
    harness.card.inject(.fail(.flip, .notMaster), count: 1)
    let result = try await harness.show("Two")
    #expect(result.shown.count + result.notShown.count == 1)
    await see("Two", harness)
    #expect(harness.modesets.count == 2, "the mode is set again after another DRM master")
  }

  @Test(arguments: [VirtualCall.probe, .allocate, .check, .light])
  func `a card that is removed during a probe or modeset is lost and leaks no buffer (21)`(
    call: VirtualCall
  ) async throws {
    let harness = try await harness((320, 240))
    harness.card.during(call) { harness.card.lose() }
    _ = try? await harness.plug(400, 300)
    await harness.wait { await harness.director.displays().allSatisfy { $0.state == .lost } }
    await harness.waitWhile { harness.card.liveBuffers > 0 }
    #expect(try await harness.show("Lost").shown.isEmpty)
  }

  @Test func `a card that is removed while a frame is painted leaks no buffer (21)`() async throws {
    let harness = try await harness((1920, 1080))
    async let report = harness.show(String(repeating: "A long text. ", count: 200))
    await harness.wait { await harness.display("Virtual-1")?.message != nil }
    harness.card.lose()
    _ = try await report
    await harness.waitWhile { harness.card.liveBuffers > 0 }
    #expect(await state("Virtual-1", harness) == "lost")
  }

  @Test func `the real card replaces the firmware's card, and the monitor shows its message (22)`() async throws {
    let harness = try await harness((320, 240))
    _ = try await harness.show("Mine", on: "Virtual-1")
    harness.card.lose()
    await harness.wait { await state("Virtual-1", harness) == "lost" }
    let real = VirtualCard(path: "card1", keepsJournal: true, clock: Harness.now)
    _ = real.plug(Size(320, 240), into: "Virtual-1")
    await harness.director.start(VirtualSource(real))
    await see("Mine", harness)
    let reports = await harness.director.displays()
    #expect(reports.map(\.card) == ["card1"])
  }

  // MARK: Connectors that are not displays, or only temporarily

  @Test func `non-desktop connectors stay dark, and writeback connectors are not listed (24)`() async throws {
    let harness = try await harness((320, 240), (400, 300))
    harness.card.reshape("Virtual-1") { $0.isNonDesktop = true }
    await harness.wait { await state("Virtual-1", harness) == "dark leftAlone" }
    #expect(await harness.director.status().problems.isEmpty, "an ignored connector is not a problem")
    harness.card.reshape("Virtual-1") { $0.kind = ConnectorKind(18) }
    await harness.director.probeAll()
    #expect(await harness.director.displays().map(\.name) == ["Virtual-2"], "a writeback connector is not a display")
    harness.card.reshape("Virtual-1", nil)
    await see("Hello", harness)
  }

  @Test func `the rotation of a panel's mounting and the requested rotation add up`() async throws {
    let harness = try await harness((320, 240))
    let upright = try #require(harness.card.scanout("Virtual-1")?.pixels)
    harness.card.reshape("Virtual-1") { $0.orientation = .half }
    await harness.director.probeAll()
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    _ = try await harness.director.setAsleep(SleepRequest(asleep: false))
    await harness.rest()
    #expect(harness.card.scanout("Virtual-1")?.pixels == upright.reversed())
    #expect(try await harness.director.why("Virtual-1").reasons.contains { $0.contains("mounted turned") })
    let report = await harness.display("Virtual-1")
    #expect(report?.mounted == 180 && report?.rotation == 0)
    // A requested rotation is added to the mounting's.
    _ = try await harness.director.setMode("Virtual-1", ModeRequest(rotation: 180, keep: true))
    await harness.rest()
    #expect(harness.card.scanout("Virtual-1")?.pixels == upright)
  }

  @Test func `a monitor with two tiles is driven by one connector, in a mode that fills it (33)`() async throws {
    let harness = Harness()
    for (column, name) in ["Virtual-1", "Virtual-2"].enumerated() {
      harness.card.plug(VirtualMonitor(size: Size(640, 960), name: "half"), into: name)
      harness.card.reshape(name) { connector in
        connector.tile = Tile(group: 1, grid: Size(2, 1), column: column, row: 0, size: Size(640, 960))
        connector.modes.append(Mode(size: Size(640, 480), refresh: 60000))
      }
    }
    await harness.start()
    #expect(harness.modesets == ["light Virtual-1 640x480@60"])
    #expect(await state("Virtual-1", harness) == "lit")
    #expect(await state("Virtual-2", harness) == "dark leftAlone")
    #expect(await harness.display("Virtual-2")?.reason == "a part of a monitor that Virtual-1 shows as a whole")
    // Without the first cable the second tile shows the frame, until the first one returns.
    #expect(harness.card.unplug("Virtual-1"))
    await harness.wait { await state("Virtual-2", harness) == "lit" }
    harness.card.plug(VirtualMonitor(size: Size(640, 960), name: "half"), into: "Virtual-1")
    await harness.wait { await state("Virtual-1", harness) == "lit" }
    #expect(await state("Virtual-2", harness) == "dark leftAlone")
  }

  @Test func `connectors that return with other IDs show the same message again (27)`() async throws {
    let harness = try await harness((320, 240), (400, 300))
    _ = try await harness.show("Mine", on: "Virtual-1")
    for _ in 0..<20 {
      harness.card.remove("Virtual-1")
      await harness.wait { await harness.display("Virtual-1") == nil }
      _ = harness.card.plug(Size(320, 240), into: "Virtual-1")
      await see("Mine", harness)
    }
    #expect(harness.modesets.filter { $0.contains("Virtual-2") }.count == 1)
    await harness.rest()
    await harness.waitWhile { harness.card.liveBuffers > 4 }
    #expect(await harness.director.displays().map(\.state) == [.lit, .lit])
  }
}
