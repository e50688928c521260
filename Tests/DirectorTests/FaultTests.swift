import Configuration
import Control
import Director
import Displays
import Geometry
import SeededRandom
import Testing
import VirtualDisplays

/// Faults of real hardware, each injected a number of times. The numbers in the names are rows of Tests/EDGE-CASES.md.
struct FaultTests {
  @Test func `a refused mode falls back to a smaller one, and the lit display gets no modeset (11)`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(1280, 720)
    harness.card.inject(.refuseSize(Size(1920, 1080)))
    let report = try await harness.plug(3840, 2160)
    #expect(report.state != .dark && report.width < 3840 && report.width != 1920, "\(report)")
    #expect(harness.modesets.filter { $0.contains("Virtual-1") }.count == 1)
    let why = try await harness.director.why("Virtual-2")
    #expect(why.attempts.contains { $0.hasPrefix("1920x1080@60: ") && $0.contains("injected") }, "\(why.attempts)")
  }

  @Test func `a commit that fails after its check succeeded falls back to a smaller mode (13)`() async throws {
    let harness = Harness(crtcs: 1)
    await harness.start()
    harness.card.inject(.failCommit(.refused), count: 2)
    let report = try await harness.plug(1280, 720)
    #expect(report.state != .dark && report.width < 1280, "\(report)")
  }

  @Test func `a mode whose flip never arrives falls back to a smaller one (14)`() async throws {
    let steady = ManualClock(1_000_000)
    let harness = Harness(patience: .init(flip: 100_000_000), now: { UInt64(steady.now) * 1_000_000 })
    await harness.start()
    harness.card.inject(.swallowFlip, count: 1)
    let events = await harness.director.events()
    try await harness.plug(1280, 720)
    await harness.waitWhile { director in !director.awaitsFlip("Virtual-1") }
    // The timer fires, and finds that the deadline has passed.
    steady.now += 200
    for await event in events where event.kind == .messageShown { break }
    let report = try #require(await harness.display("Virtual-1"))
    #expect(report.state == .lit && report.width < 1280, "\(report)")
    #expect(try await harness.director.why("Virtual-1").attempts.contains { $0.contains("no flip came") })
  }

  @Test(.timeLimit(.minutes(10)))
  func `modes without flips do not keep their buffers while others are tried`() async throws {
    let steady = ManualClock(1_000_000)
    let harness = Harness(patience: .init(flip: 100_000_000), now: { UInt64(steady.now) * 1_000_000 })
    await harness.start()
    harness.card.inject(.swallowFlip, count: 4)
    let events = await harness.director.events()
    try await harness.plug(1280, 720)
    for number in 1...4 {
      if number == 4 {
        // All modes have failed. The first one is retried after a delay.
        await harness.waitWhile { director in director.mostRetries == 0 }
        steady.now += 1000
      }
      await harness.waitWhile { director in !director.awaitsFlip("Virtual-1") || harness.modesets.count < number }
      // Two buffers for each of two modes.
      await harness.waitWhile { harness.card.liveBuffers > 4 }
      steady.now += 200
    }
    for await event in events where event.kind == .messageShown { break }
    #expect(await harness.display("Virtual-1")?.state == .lit)
  }

  @Test func `a flip that fails because the card is busy is retried without a modeset (15)`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    _ = try await harness.show("One")
    harness.card.inject(.busyFlip, count: 3)
    #expect(try await harness.show("Two").shown.count == 1)
    #expect(harness.modesets.count == 1)
  }

  @Test(arguments: [VirtualFault.failAllocation, .shallowBuffer])
  func `without a back buffer the first frame is shown, and the next one needs a smaller mode`(
    fault: VirtualFault
  ) async throws {
    let harness = Harness()
    await harness.start()
    harness.card.inject(fault, after: 1, count: 2)
    let report = try await harness.plug(1920, 1080)
    #expect(report.state != .dark && report.width == 1920, "\(report)")
    let result = try await harness.show("Next")
    #expect(result.shown.count == 1, "\(result)")
    let after = try #require(await harness.display("Virtual-1"))
    #expect(after.state == .lit && after.width < 1920, "\(after)")
    #expect(try await harness.director.why("Virtual-1").attempts.contains { $0.contains("no second buffer") })
  }

  @Test func `a failed allocation of the back buffer is retried for the next frame`() async throws {
    let harness = Harness()
    await harness.start()
    harness.card.inject(.failAllocation, after: 1, count: 1)
    try await harness.plug(1920, 1080)
    #expect(try await harness.show("Next").shown.count == 1)
    let after = try #require(await harness.display("Virtual-1"))
    #expect(after.state == .lit && after.width == 1920, "\(after)")
    #expect(harness.modesets.count == 1)
  }

  @Test func `a message that arrives during a modeset counts as shown only after its flip`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(3840, 2160)
    _ = try await harness.show("Before")
    harness.card.holdFlips()
    let events = await harness.director.events()
    harness.card.during(.allocate) {
      harness.card.during(.allocate, nil)
      _ = try? await harness.director.setMessage(MessageRequest(text: "During", wait: false))
      // A painter that has work reports it now.
      await harness.drain()
    }
    await harness.director.apply(Settings(policy: .native, message: "Hello"))
    let released = Harness.now()
    harness.card.releaseFlips()
    for await event in events where event.kind == .messageShown {
      #expect(event.time >= released, "\(event)")
      if event.detail == "During" { break }
    }
    let report = try #require(await harness.display("Virtual-1"))
    #expect(report.state == .lit && report.width == 3840, "\(report)")
  }

  @Test func `without memory for any back buffer, a display ends dark with the reason`() async throws {
    let harness = Harness()
    await harness.start()
    harness.card.inject(.failAllocation, after: 1)
    try await harness.plug(640, 480)
    _ = try await harness.show("Next")
    let report = try #require(await harness.darkness(of: "Virtual-1"))
    #expect(report.reason?.contains("no mode could be set") ?? false, "\(report)")
  }

  @Test func `a display whose modes are all refused is dark with the reason, and leaks no buffer`() async throws {
    let harness = Harness()
    await harness.start()
    harness.card.inject(.failCommit(.refused))
    _ = try await harness.plug(640, 480)
    let report = try #require(await harness.darkness(of: "Virtual-1"))
    #expect(report.reason?.contains("no mode could be set") ?? false, "\(report)")
    #expect(try await harness.show("Hello").notShown.count == 1)
    // A retry may hold a buffer for a moment.
    await harness.waitWhile { harness.card.liveBuffers > 0 }
  }

  @Test func `with more displays than CRTCs, lit ones stay lit, and the dark one is reported (28)`() async throws {
    let harness = Harness(crtcs: 1)
    await harness.start()
    try await harness.plug(640, 480)
    _ = try await harness.show("First")
    _ = try await harness.plug(800, 600)
    #expect(await harness.director.displays().map(\.state) == [.lit, .dark])
    #expect(await harness.director.status().problems.contains { $0.hasPrefix("Virtual-2: ") })
    try await harness.director.unplug("Virtual-1")
    _ = try await harness.show("Room")
    #expect(await harness.display("Virtual-2")?.state == .lit)
  }

  @Test func `a failed buffer allocation leaves only its own display dark (35)`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    _ = try await harness.show("First")
    harness.card.inject(.failAllocation)
    _ = try await harness.plug(800, 600)
    #expect(await harness.darkness(of: "Virtual-2") != nil)
    #expect(await harness.display("Virtual-1")?.state == .lit)
    #expect(try await harness.show("Still here").shown.map(\.display) == ["Virtual-1"])
  }

  @Test func `the displays of a removed card are lost, and a waiting request is answered (21)`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    _ = try await harness.show("One")
    harness.card.holdFlips()
    async let report = harness.show("Two")
    await harness.waitWhile { harness.card.journal.count < 3 }
    harness.card.lose()
    #expect(try await report.notShown.count == 1)
    #expect(await harness.display("Virtual-1")?.state == .lost)
    await harness.waitWhile { harness.card.liveBuffers > 0 }
  }

  @Test func `after random plugs, unplugs and messages each display shows the last message`() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let harness = Harness()
    await harness.start()
    var plugged: [String: Size] = [:]
    for _ in 0..<60 {
      let name = "Virtual-\(Int.random(in: 1...3, using: &random))"
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let size = [Size(320, 240), Size(640, 480), Size(400, 300)].randomElement(using: &random) ?? Size(320, 240)
        try await harness.plug(size.width, size.height, into: name)
        plugged[name] = size
      case 1:
        if plugged.removeValue(forKey: name) != nil { try await harness.director.unplug(name) }
      case 2: harness.card.hint()
      default:
        _ = try await harness.director.setMessage(MessageRequest(text: "\(Int.random(in: 0..<99, using: &random))"))
      }
    }
    _ = try await harness.show("End")
    for report in await harness.director.displays() {
      let size = plugged[report.name]
      #expect(report.state == (size == nil ? .disconnected : .lit), "seed \(seed): \(report)")
      #expect(size == nil || Size(report.width, report.height) == size, "seed \(seed): \(report)")
      #expect(size == nil || report.message == "End", "seed \(seed): \(report)")
    }
    #expect(harness.card.liveBuffers == 2 * plugged.count, "seed \(seed)")
  }
}
