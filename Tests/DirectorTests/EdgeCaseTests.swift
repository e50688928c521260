import Configuration
import Control
import Displays
import Geometry
import Testing
import VirtualDisplays

@testable import Director

/// Rows of the table of edge cases (Tests/EDGE-CASES.md, whose numbers are behind the names) that no other test has.
struct EdgeCaseTests {
  private func rig(_ monitors: (Int, Int)...) async throws -> Rig {
    let rig = Rig()
    await rig.start()
    for (width, height) in monitors { try await rig.plug(width, height) }
    await rig.rest()
    return rig
  }

  /// Waits until a text is on a display's glass.
  private func see(_ text: String, _ rig: Rig, on display: String = "Virtual-1") async {
    await rig.wait { await rig.display(display)?.message == text }
  }

  private func state(_ display: String, _ rig: Rig) async -> String {
    let report = await rig.display(display)
    return [report?.state, report?.cause].compactMap(\.self).joined(separator: " ")
  }

  // MARK: Probes

  @Test func `messages, sleep and reloads probe nothing (6)`() async throws {
    let rig = try await rig((320, 240))
    let before = rig.card.probes
    for number in 0..<20 { _ = try await rig.show("\(number)") }
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    _ = try await rig.director.setAsleep(SleepRequest(asleep: false))
    await rig.director.apply(Settings(message: "Another"))
    await rig.rest()
    #expect(rig.card.probes == before)
  }

  @Test func `a thousand hints while a card is looked at are one more look (37)`() async throws {
    let rig = try await rig((320, 240))
    let (gate, opener) = AsyncStream<Void>.makeStream()
    rig.card.during(.probe) { for await _ in gate { break } }
    let (before, asked) = (rig.card.probes, await rig.director.looksAsked)
    for _ in 0..<1000 { rig.card.hint() }
    await rig.waitWhile { director in director.looksAsked < asked + 1000 }
    opener.finish()
    await rig.director.lookAtAll()
    #expect(rig.card.probes - before <= 3)
    #expect(rig.modesets == ["light Virtual-1 320x240@60"])
    #expect(await state("Virtual-1", rig) == "lit")
  }

  @Test func `a probe that fails is made again by itself, and told of once`() async throws {
    let rig = try await rig()
    rig.card.inject(.failProbe(.busy), count: 2)
    rig.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"))
    await see("Hello", rig)
    #expect(rig.log.complaints.filter { $0.contains("trying again") }.count == 1, "\(rig.log.complaints)")
  }

  // MARK: EDIDs and modes that come late or go

  @Test func `modes that come late are found by looking again, and the monitor has what it had (7)`() async throws {
    let rig = try await rig((320, 240))
    _ = try await rig.show("Mine", on: "Virtual-1")
    try await rig.director.unplug("Virtual-1")
    rig.card.reshape("Virtual-1") { ($0.edid, $0.modes) = ([], []) }
    _ = rig.card.plug(Size(320, 240), into: "Virtual-1")
    await rig.wait { await state("Virtual-1", rig) == "dark noMode" }
    rig.card.reshape("Virtual-1", isTold: false, nil)
    await rig.director.hopeAgain()
    await see("Mine", rig)
    #expect(await rig.director.status().problems.isEmpty)
  }

  @Test func `an EDID that comes after the modes makes the monitor known, with its session and its mode (8)`()
    async throws
  {
    let rig = try await rig((1280, 720))
    _ = try await rig.show("Mine", on: "Virtual-1")
    try await rig.director.unplug("Virtual-1")
    rig.card.reshape("Virtual-1") { ($0.edid, $0.modes) = ([], [Mode(size: Size(1024, 768), refresh: 60000)]) }
    _ = rig.card.plug(Size(1280, 720), into: "Virtual-1")
    await see("Hello", rig)
    #expect(await rig.display("Virtual-1")?.width == 1024, "a guess is better than nothing")
    rig.card.reshape("Virtual-1", nil)
    await see("Mine", rig)
    #expect(await rig.display("Virtual-1")?.width == 1280)
    #expect(await rig.director.sessions().filter { $0.display != nil }.count == 1)
  }

  @Test func `an EDID that is lost for a moment does not touch a lit display (8)`() async throws {
    let rig = try await rig((1280, 720))
    rig.card.reshape("Virtual-1") { ($0.edid, $0.modes) = ([], [Mode(size: Size(1024, 768), refresh: 60000)]) }
    await rig.director.lookAtAll()
    #expect(await rig.display("Virtual-1")?.mode == "1280x720@60")
    rig.card.reshape("Virtual-1", nil)
    await rig.director.lookAtAll()
    await rig.rest()
    #expect(rig.modesets == ["light Virtual-1 1280x720@60"])
    #expect(await rig.director.sessions().count == 1)
  }

  @Test func `an EDID that stays away leaves the list without it (8)`() async throws {
    let rig = try await rig((1280, 720))
    rig.card.reshape("Virtual-1") { ($0.edid, $0.modes) = ([], [Mode(size: Size(1024, 768), refresh: 60000)]) }
    await rig.director.lookAtAll()
    await rig.director.giveUpHope()
    await rig.director.lookAtAll()
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.mode == "1024x768@60")
  }

  @Test func `another EDID under a connected status is another monitor, and its neighbor does not blink (9)`()
    async throws
  {
    let rig = try await rig((640, 480), (320, 240))
    _ = try await rig.show("First", on: "Virtual-1")
    rig.card.plug(VirtualMonitor(size: Size(640, 480), name: "other"), into: "Virtual-1")
    await see("Hello", rig)
    #expect(rig.modesets.filter { $0.contains("Virtual-2") }.count == 1)
    _ = rig.card.plug(Size(640, 480), into: "Virtual-1")
    await see("First", rig)
  }

  @Test func `a bad link has the same mode set anew, and its neighbor does not blink (10)`() async throws {
    let rig = try await rig((640, 480), (320, 240))
    _ = try await rig.show("Mine", on: "Virtual-1")
    rig.card.reshape("Virtual-1") { $0.isLinkBad = true }
    await rig.director.lookAtAll()
    rig.card.reshape("Virtual-1", nil)
    await rig.director.lookAtAll()
    await rig.rest()
    let lights = rig.modesets.filter { $0.hasPrefix("light Virtual-1") }
    #expect(lights.count >= 2 && Set(lights) == ["light Virtual-1 640x480@60"], "\(lights)")
    #expect(rig.modesets.filter { $0.contains("Virtual-2") }.count == 1)
    #expect(await rig.display("Virtual-1")?.message == "Mine")
  }

  // MARK: Modesets

  @Test func `of two monitors that come at once a bad one does not keep the other dark (12)`() async throws {
    let rig = Rig()
    let only = VirtualMonitor(edid: [], modes: [Mode(size: Size(400, 300), refresh: 60000)])
    rig.card.plug(only, into: "Virtual-1")
    rig.card.plug(VirtualMonitor(size: Size(320, 240), name: "good"), into: "Virtual-2")
    rig.card.inject(.refuseSize(Size(400, 300)))
    await rig.start()
    #expect(await rig.darkness(of: "Virtual-1")?.cause == "refused")
    #expect(await state("Virtual-2", rig) == "lit")
    rig.card.inject(.refuseSize(Size(400, 300)), count: 0)
    await rig.director.hopeAgain()
    await see("Hello", rig)
    #expect(rig.modesets.filter { $0.contains("Virtual-2") } == ["light Virtual-2 320x240@60"])
  }

  @Test func `a card that is busy for a modeset is asked again by itself (15)`() async throws {
    let rig = try await rig()
    rig.card.inject(.fail(.light, .busy), count: 1)
    _ = try await rig.plug(320, 240)
    await see("Hello", rig)
    #expect(await rig.director.status().problems.isEmpty)
  }

  @Test func `flips that come at once make nothing spin (18)`() async throws {
    let rig = try await rig((320, 240))
    _ = try await rig.show("One")
    let before = rig.card.journal.count
    await rig.drain()
    let isArmed = await rig.director.awaitsFlip("Virtual-1")
    #expect(rig.card.journal.count == before && !isArmed)
    for number in 0..<10 { _ = try await rig.show("\(number)") }
    #expect(rig.card.journal.count - before == 10, "one flip for each message")
  }

  @Test func `unplugged, a pipe is off; plugged again, its mode is set anew (29, 30)`() async throws {
    let rig = try await rig((320, 240))
    try await rig.director.unplug("Virtual-1")
    try await rig.plug(320, 240)
    #expect(rig.modesets == ["light Virtual-1 320x240@60", "dark 1", "light Virtual-1 320x240@60"])
  }

  @Test func `a pipe that could not be switched off is switched off later (29)`() async throws {
    let rig = try await rig((320, 240))
    rig.card.inject(.fail(.darken, .busy), count: 1)
    try await rig.director.unplug("Virtual-1")
    await rig.waitWhile { rig.card.enabledCRTCs > 0 }
    #expect(rig.log.complaints.contains { $0.contains("could not be switched off") })
  }

  @Test func `a display whose flips are late does not hold up another (40)`() async throws {
    let rig = try await rig((320, 240), (400, 300))
    rig.card.inject(.swallowFlip, count: 1)
    _ = try await rig.director.setMessage(MessageRequest(text: "Late", display: "Virtual-1"))
    await rig.waitWhile { rig.card.injectedFaultCount == 0 }
    for number in 0..<5 {
      #expect(try await rig.show("\(number)", on: "Virtual-2").shown.map(\.display) == ["Virtual-2"])
    }
    #expect(await rig.display("Virtual-1")?.message == "Hello")
  }

  @Test func `a mode that is tried again and again is told of once, and again when it was lit meanwhile`() async throws
  {
    let rig = try await rig()
    func complaints() -> [String] { rig.log.complaints.filter { $0.hasPrefix("Virtual-1: ") } }
    for round in 1...2 {
      let before = rig.card.injectedFaultCount
      rig.card.inject(.failCommit(.busy), count: 3)
      rig.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"), into: "Virtual-1")
      await see("Hello", rig)
      #expect(rig.card.injectedFaultCount == before + 3)
      #expect(complaints().filter { $0.contains("could not be set") }.count == round, "\(complaints())")
      #expect(complaints().filter { $0.contains(": dark: ") }.count == round, "\(complaints())")
      rig.card.unplug("Virtual-1")
      await rig.wait { await rig.display("Virtual-1")?.state ?? "disconnected" == "disconnected" }
    }
  }

  // MARK: Masters and cards

  @Test(arguments: [true, false])
  func `another master is waited for, and all is set anew after it (19)`(isTold: Bool) async throws {
    let rig = try await rig((320, 240), (400, 300))
    rig.card.setMaster(false)
    await rig.wait { await rig.director.displays().allSatisfy { $0.cause == "noMaster" } }
    #expect(try await rig.show("After").notShown.allSatisfy { $0.contains("another program is DRM master of memory") })
    await rig.director.lookAtAll()
    #expect(rig.log.complaints.filter { $0.contains("trying again") }.count == 1)
    rig.card.setMaster(true, isTold: isTold)
    await see("After", rig)
    await see("After", rig, on: "Virtual-2")
    #expect(rig.modesets.filter { $0.hasPrefix("light") }.count == 4)
    #expect(await rig.director.status().problems.isEmpty)
  }

  @Test func `a flip that another master forbids is waited for by nobody (17)`() async throws {
    let rig = try await rig((320, 240))
    rig.card.inject(.fail(.flip, .notMaster), count: 1)
    let result = try await rig.show("Two")
    #expect(result.shown.count + result.notShown.count == 1)
    await see("Two", rig)
    #expect(rig.modesets.count == 2, "what another program left is set anew")
  }

  @Test(arguments: [VirtualCall.probe, .allocate, .check, .light])
  func `a card that goes while it is looked at or lit leaves nothing behind (21)`(call: VirtualCall) async throws {
    let rig = try await rig((320, 240))
    rig.card.during(call) { rig.card.lose() }
    _ = try? await rig.plug(400, 300)
    await rig.wait { await rig.director.displays().allSatisfy { $0.state == "lost" } }
    await rig.waitWhile { rig.card.liveBuffers > 0 }
    #expect(try await rig.show("Nobody").shown.isEmpty)
  }

  @Test func `a card that goes while a picture is painted leaves nothing behind (21)`() async throws {
    let rig = try await rig((1920, 1080))
    async let report = rig.show(String(repeating: "A long text. ", count: 200))
    await rig.wait { await rig.display("Virtual-1")?.message != nil }
    rig.card.lose()
    _ = try await report
    await rig.waitWhile { rig.card.liveBuffers > 0 }
    #expect(await state("Virtual-1", rig) == "lost")
  }

  @Test func `the firmware's card goes, the real one comes, and the monitor has what it had (22)`() async throws {
    let rig = try await rig((320, 240))
    _ = try await rig.show("Mine", on: "Virtual-1")
    rig.card.lose()
    await rig.wait { await state("Virtual-1", rig) == "lost" }
    let real = VirtualCard(path: "card1", keepsJournal: true, clock: Rig.now)
    _ = real.plug(Size(320, 240), into: "Virtual-1")
    await rig.director.start(VirtualSource(real))
    await see("Mine", rig)
    let reports = await rig.director.displays()
    #expect(reports.map(\.card) == ["card1"])
  }

  // MARK: Connectors that are no displays, or not for long

  @Test func `what is no display for messages is left alone, and says so (24)`() async throws {
    let rig = try await rig((320, 240), (400, 300))
    rig.card.reshape("Virtual-1") { $0.isNonDesktop = true }
    await rig.wait { await state("Virtual-1", rig) == "dark leftAlone" }
    #expect(await rig.director.status().problems.isEmpty, "that is nobody's trouble")
    rig.card.reshape("Virtual-1") { $0.kind = ConnectorKind(18) }
    await rig.director.lookAtAll()
    #expect(await rig.director.displays().map(\.name) == ["Virtual-2"], "a writeback connector is none")
    rig.card.reshape("Virtual-1", nil)
    await see("Hello", rig)
  }

  @Test func `a panel that is mounted turned shows what is asked for upright`() async throws {
    let rig = try await rig((320, 240))
    let upright = try #require(rig.card.glass("Virtual-1")?.pixels)
    rig.card.reshape("Virtual-1") { $0.orientation = .half }
    await rig.director.lookAtAll()
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    _ = try await rig.director.setAsleep(SleepRequest(asleep: false))
    await rig.rest()
    #expect(rig.card.glass("Virtual-1")?.pixels == upright.reversed())
    #expect(try await rig.director.why("Virtual-1").reasons.contains { $0.contains("mounted turned") })
    let report = await rig.display("Virtual-1")
    #expect(report?.mounted == 180 && report?.rotation == 0)
    // What a person asks for comes on top.
    _ = try await rig.director.setMode("Virtual-1", ModeRequest(rotation: 180, keep: true))
    await rig.rest()
    #expect(rig.card.glass("Virtual-1")?.pixels == upright)
  }

  @Test func `a monitor in two tiles is lit once, in a mode that fills it (33)`() async throws {
    let rig = Rig()
    for (column, name) in ["Virtual-1", "Virtual-2"].enumerated() {
      rig.card.plug(VirtualMonitor(size: Size(640, 960), name: "half"), into: name)
      rig.card.reshape(name) { connector in
        connector.tile = Tile(group: 1, grid: Size(2, 1), column: column, row: 0, size: Size(640, 960))
        connector.modes.append(Mode(size: Size(640, 480), refresh: 60000))
      }
    }
    await rig.start()
    #expect(rig.modesets == ["light Virtual-1 640x480@60"])
    #expect(await state("Virtual-1", rig) == "lit")
    #expect(await state("Virtual-2", rig) == "dark leftAlone")
    #expect(await rig.display("Virtual-2")?.reason == "a part of a monitor that Virtual-1 shows as a whole")
    // Without the first cable the second one shows the picture, until that is back.
    #expect(rig.card.unplug("Virtual-1"))
    await rig.wait { await state("Virtual-2", rig) == "lit" }
    rig.card.plug(VirtualMonitor(size: Size(640, 960), name: "half"), into: "Virtual-1")
    await rig.wait { await state("Virtual-1", rig) == "lit" }
    #expect(await state("Virtual-2", rig) == "dark leftAlone")
  }

  @Test func `connectors that vanish and come with other ids keep what they showed (27)`() async throws {
    let rig = try await rig((320, 240), (400, 300))
    _ = try await rig.show("Mine", on: "Virtual-1")
    for _ in 0..<20 {
      rig.card.remove("Virtual-1")
      await rig.wait { await rig.display("Virtual-1") == nil }
      _ = rig.card.plug(Size(320, 240), into: "Virtual-1")
      await see("Mine", rig)
    }
    #expect(rig.modesets.filter { $0.contains("Virtual-2") }.count == 1)
    await rig.rest()
    await rig.waitWhile { rig.card.liveBuffers > 4 }
    #expect(await rig.director.displays().map(\.state) == ["lit", "lit"])
  }
}
