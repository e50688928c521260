import Configuration
import Control
import Director
import Displays
import Geometry
import SeededRandom
import Testing
import VirtualDisplays

/// What goes wrong on real hardware, by count (the numbers are rows of the table of edge cases).
struct FaultTests {
  @Test func `a refused mode is stepped down, and the lit display is not touched (11)`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(1280, 720)
    rig.card.inject(.refuseSize(Size(1920, 1080)))
    let report = try await rig.plug(3840, 2160)
    #expect(report.state != "dark" && report.width < 3840 && report.width != 1920, "\(report)")
    #expect(rig.modesets.filter { $0.contains("Virtual-1") }.count == 1)
    let why = try await rig.director.why("Virtual-2")
    #expect(why.attempts.contains { $0.hasPrefix("1920x1080@60: ") && $0.contains("injected") }, "\(why.attempts)")
  }

  @Test func `a commit that fails after the check passed is stepped down, too (13)`() async throws {
    let rig = Rig(crtcs: 1)
    await rig.start()
    rig.card.inject(.failCommit(.refused), count: 2)
    let report = try await rig.plug(1280, 720)
    #expect(report.state != "dark" && report.width < 1280, "\(report)")
  }

  @Test func `a mode whose flips never come is stepped down (14)`() async throws {
    let steady = HandClock(1_000_000)
    let rig = Rig(patience: .init(flip: 100_000_000), now: { UInt64(steady.now) * 1_000_000 })
    await rig.start()
    rig.card.inject(.swallowFlip, count: 1)
    let events = await rig.director.events()
    try await rig.plug(1280, 720)
    await rig.waitWhile { director in !director.awaitsFlip("Virtual-1") }
    // The timer comes, and finds that the time is over.
    steady.now += 200
    for await event in events where event.kind == .messageShown { break }
    let report = try #require(await rig.display("Virtual-1"))
    #expect(report.state == "lit" && report.width < 1280, "\(report)")
    #expect(try await rig.director.why("Virtual-1").attempts.contains { $0.contains("no flip came") })
  }

  @Test(.timeLimit(.minutes(1))) func `modes that never flip keep no buffers while others are tried`() async throws {
    let steady = HandClock(1_000_000)
    let rig = Rig(patience: .init(flip: 100_000_000), now: { UInt64(steady.now) * 1_000_000 })
    await rig.start()
    rig.card.inject(.swallowFlip, count: 4)
    let events = await rig.director.events()
    try await rig.plug(1280, 720)
    for number in 1...4 {
      if number == 4 {
        // No mode is left, and the first one is tried again after a while.
        await rig.waitWhile { director in director.mostRetries == 0 }
        steady.now += 1000
      }
      await rig.waitWhile { director in !director.awaitsFlip("Virtual-1") || rig.modesets.count < number }
      // Of two modes, with two each.
      await rig.waitWhile { rig.card.liveBuffers > 4 }
      steady.now += 200
    }
    for await event in events where event.kind == .messageShown { break }
    #expect(await rig.display("Virtual-1")?.state == "lit")
  }

  @Test func `a busy card is asked again, and nothing is lost (15)`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    _ = try await rig.show("One")
    rig.card.inject(.busyFlip, count: 3)
    #expect(try await rig.show("Two").shown.count == 1)
    #expect(rig.modesets.count == 1)
  }

  @Test(arguments: [VirtualFault.failAllocation, .shallowBuffer])
  func `no second buffer: the first picture stands, and a message steps the mode down`(
    fault: VirtualFault
  ) async throws {
    let rig = Rig()
    await rig.start()
    rig.card.inject(fault, after: 1, count: 2)
    let report = try await rig.plug(1920, 1080)
    #expect(report.state != "dark" && report.width == 1920, "\(report)")
    let result = try await rig.show("Next")
    #expect(result.shown.count == 1, "\(result)")
    let after = try #require(await rig.display("Virtual-1"))
    #expect(after.state == "lit" && after.width < 1920, "\(after)")
    #expect(try await rig.director.why("Virtual-1").attempts.contains { $0.contains("no second buffer") })
  }

  @Test func `a second buffer that cannot be had at once is had later`() async throws {
    let rig = Rig()
    await rig.start()
    rig.card.inject(.failAllocation, after: 1, count: 1)
    try await rig.plug(1920, 1080)
    #expect(try await rig.show("Next").shown.count == 1)
    let after = try #require(await rig.display("Virtual-1"))
    #expect(after.state == "lit" && after.width == 1920, "\(after)")
    #expect(rig.modesets.count == 1)
  }

  @Test func `a message during a modeset counts as shown with its own flip, not before`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(3840, 2160)
    _ = try await rig.show("Before")
    rig.card.holdFlips()
    let events = await rig.director.events()
    rig.card.during(.allocate) {
      rig.card.during(.allocate, nil)
      _ = try? await rig.director.setMessage(MessageRequest(text: "During", wait: false))
      // A painter answers now, if it was asked.
      await rig.drain()
    }
    await rig.director.apply(Settings(policy: .native, message: "Hello"))
    let released = Rig.now()
    rig.card.releaseFlips()
    for await event in events where event.kind == .messageShown {
      #expect(event.time >= released, "\(event)")
      if event.detail == "During" { break }
    }
    let report = try #require(await rig.display("Virtual-1"))
    #expect(report.state == "lit" && report.width == 3840, "\(report)")
  }

  @Test func `no memory for any second buffer: dark at the end of the ladder, with the reason`() async throws {
    let rig = Rig()
    await rig.start()
    rig.card.inject(.failAllocation, after: 1)
    try await rig.plug(640, 480)
    _ = try await rig.show("Next")
    let report = try #require(await rig.darkness(of: "Virtual-1"))
    #expect(report.reason?.contains("no mode could be set") ?? false, "\(report)")
  }

  @Test func `every mode refused leaves the display dark, with the reason, and the service up`() async throws {
    let rig = Rig()
    await rig.start()
    rig.card.inject(.failCommit(.refused))
    _ = try await rig.plug(640, 480)
    let report = try #require(await rig.darkness(of: "Virtual-1"))
    #expect(report.reason?.contains("no mode could be set") ?? false, "\(report)")
    #expect(try await rig.show("Hello").notShown.count == 1)
    // A retry may be under way.
    await rig.waitWhile { rig.card.liveBuffers > 0 }
  }

  @Test func `more displays than CRTCs: the lit ones stay, the dark one is named (28)`() async throws {
    let rig = Rig(crtcs: 1)
    await rig.start()
    try await rig.plug(640, 480)
    _ = try await rig.show("First")
    _ = try await rig.plug(800, 600)
    #expect(await rig.director.displays().map(\.state) == ["lit", "dark"])
    #expect(await rig.director.status().problems.contains { $0.hasPrefix("Virtual-2: ") })
    try await rig.director.unplug("Virtual-1")
    _ = try await rig.show("Room")
    #expect(await rig.display("Virtual-2")?.state == "lit")
  }

  @Test func `no buffer to be had is an error for that display alone (35)`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    _ = try await rig.show("First")
    rig.card.inject(.failAllocation)
    _ = try await rig.plug(800, 600)
    #expect(await rig.darkness(of: "Virtual-2") != nil)
    #expect(await rig.display("Virtual-1")?.state == "lit")
    #expect(try await rig.show("Still here").shown.map(\.display) == ["Virtual-1"])
  }

  @Test func `the card goes: its displays are told, and nobody waits for ever (21)`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    _ = try await rig.show("One")
    rig.card.holdFlips()
    async let report = rig.show("Two")
    await rig.waitWhile { rig.card.journal.count < 3 }
    rig.card.lose()
    #expect(try await report.notShown.count == 1)
    #expect(await rig.display("Virtual-1")?.state == "lost")
    await rig.waitWhile { rig.card.liveBuffers > 0 }
  }

  @Test func `random plugs, pulls and messages end in the right picture`() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let rig = Rig()
    await rig.start()
    var plugged: [String: Size] = [:]
    for _ in 0..<60 {
      let name = "Virtual-\(Int.random(in: 1...3, using: &random))"
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let size = [Size(320, 240), Size(640, 480), Size(400, 300)].randomElement(using: &random) ?? Size(320, 240)
        try await rig.plug(size.width, size.height, into: name)
        plugged[name] = size
      case 1:
        if plugged.removeValue(forKey: name) != nil { try await rig.director.unplug(name) }
      case 2: rig.card.hint()
      default: _ = try await rig.director.setMessage(MessageRequest(text: "\(Int.random(in: 0..<99, using: &random))"))
      }
    }
    _ = try await rig.show("End")
    for report in await rig.director.displays() {
      let size = plugged[report.name]
      #expect(report.state == (size == nil ? "disconnected" : "lit"), "seed \(seed): \(report)")
      #expect(size == nil || Size(report.width, report.height) == size, "seed \(seed): \(report)")
      #expect(size == nil || report.message == "End", "seed \(seed): \(report)")
    }
    #expect(rig.card.liveBuffers == 2 * plugged.count, "seed \(seed)")
  }
}
