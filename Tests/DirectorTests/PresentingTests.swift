import Control
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Testing
import VirtualDisplays
import Waiting

@testable import Director

/// Flip requests of painters: one that waits for the kernel's locks, and the flips that count.
@Suite(.timeLimit(.minutes(10)))
struct PresentingTests {
  /// Runs a test on a harness with displays whose painters have their own threads.
  private func withHarness(
    painters: Int, displays: Int, now: @escaping @Sendable () -> UInt64 = Harness.now,
    inspectionLimit: Duration = .seconds(3600),
    _ body: (Harness, [any EventLoop]) async throws -> Void
  ) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: painters)
    defer { group.shutdownGracefully { _ in } }
    let renderLoops = (0..<painters).map { _ in group.next() }
    let harness = Harness(now: now, renderLoops: renderLoops, inspectionLimit: inspectionLimit)
    await harness.start()
    for _ in 0..<displays { try await harness.plug(320, 240) }
    try await body(harness, renderLoops)
    await harness.director.close()
  }

  @Test func `a blocked flip request delays only its own painter`() async throws {
    try await withHarness(painters: 2, displays: 2, inspectionLimit: .zero) { harness, _ in
      let gate = Flag()
      harness.card.duringFlips { _, display in if display == "Virtual-1" { gate.wait() } }
      // A request that does not wait for its frame is answered before it, and also while the painter is blocked.
      _ = try await harness.director.setMessage(MessageRequest(text: "First", display: "Virtual-1"))
      await harness.waitWhile { director in !director.isPainting("Virtual-1") }
      let held = try await harness.director.setMessage(MessageRequest(text: "Held", display: "Virtual-1"))
      #expect(held.warnings == ["Virtual-1: the message was not checked, because painting takes longer than 0 s"])
      _ = try await harness.show("Free", on: "Virtual-2")
      #expect(await harness.display("Virtual-2")?.message == "Free")
      #expect(await harness.display("Virtual-1")?.message == "Hello")
      gate.set()
      await harness.wait { await harness.display("Virtual-1")?.message == "Held" }
      #expect(harness.modesets.count == 2 && harness.log.complaints.isEmpty)
    }
  }

  @Test func `a flip that arrives before its request returns counts`() async throws {
    try await withHarness(painters: 1, displays: 1) { harness, _ in
      let gate = Flag()
      harness.hold(gate, at: .end)
      async let posted = harness.director.setMessage(MessageRequest(text: "Next"))
      await harness.waitWhile { director in !director.isTakingFlip("Virtual-1") }
      gate.set()
      _ = try await posted
      await harness.wait { await harness.display("Virtual-1")?.message == "Next" }
      #expect(harness.modesets.count == 1 && harness.log.complaints.isEmpty)
    }
  }

  @Test func `a flip that arrives before the request is not that of the frame being painted`() async throws {
    try await withHarness(painters: 1, displays: 1) { harness, renderLoops in
      // This message allocates the back buffer.
      _ = try await harness.show("First")
      let gate = Flag()
      renderLoops[0].execute { gate.wait() }
      harness.card.holdFlips()
      async let posted = harness.director.setMessage(MessageRequest(text: "Next"))
      await harness.waitWhile { director in !director.isPainting("Virtual-1") }
      await harness.director.sendStrayFlip(on: "Virtual-1")
      gate.set()
      _ = try await posted
      await harness.waitWhile { director in !director.awaitsFlip("Virtual-1") }
      await harness.waitWhile { director in director.isTakingFlip("Virtual-1") }
      #expect(await harness.display("Virtual-1")?.message == "First")
      harness.card.releaseFlips()
      await harness.wait { await harness.display("Virtual-1")?.message == "Next" }
    }
  }

  @Test func `a flip request that does not return is a stall, and slow painting is not`() async throws {
    let passed = Mutex<UInt64>(0)
    try await withHarness(painters: 1, displays: 1, now: { Harness.now() + passed.withLock { $0 } }) {
      harness, renderLoops in
      _ = try await harness.show("First")
      let (paint, call) = (Flag(), Flag())
      renderLoops[0].execute { paint.wait() }
      harness.hold(call, at: .beginning)
      async let posted = harness.director.setMessage(MessageRequest(text: "Next"))
      await harness.waitWhile { director in !director.isPainting("Virtual-1") }
      passed.withLock { $0 = 3_600_000_000_000 }
      await harness.director.deadlinePassed("Virtual-1")
      #expect(await harness.display("Virtual-1")?.state == .lit)
      paint.set()
      await harness.waitWhile { director in !director.isAskingCard("Virtual-1") }
      // The time counts from now, because the painter may have painted another frame first.
      passed.withLock { $0 += 3_600_000_000_000 }
      await harness.director.deadlinePassed("Virtual-1")
      #expect(await [.stalled, .lighting].contains(harness.display("Virtual-1")?.state))
      #expect(harness.log.complaints.contains { $0.hasPrefix("Virtual-1: stalled") })
      call.set()
      _ = try await posted
      await harness.wait { await harness.display("Virtual-1")?.message == "Next" }
    }
  }

  @Test func `a modeset waits until the flip request of the previous mode has returned`() async throws {
    try await withHarness(painters: 1, displays: 1) { harness, _ in
      let gate = Flag()
      harness.hold(gate, at: .end)
      harness.card.holdFlips()
      async let late = harness.director.setMessage(MessageRequest(text: "Late"))
      await harness.waitWhile { !harness.card.journal.contains("flip Virtual-1") }
      _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
      let before = harness.modesets
      async let woken = harness.director.setAsleep(SleepRequest(asleep: false))
      await harness.isBeingLit("Virtual-1")
      await harness.turns.flush()
      #expect(harness.modesets == before)
      gate.set()
      _ = try await late
      harness.card.releaseFlips()
      _ = try await woken
      await harness.wait { await harness.display("Virtual-1")?.message == "Late" }
      #expect(harness.modesets.count == before.count + 1 && harness.log.complaints.isEmpty)
    }
  }

  @Test func `a message is being painted when its change is written`() async throws {
    try await withHarness(painters: 1, displays: 1) { harness, _ in
      await harness.rest()
      let writes = Mutex<[Bool]>([])
      harness.persistence.beforeWrites {
        let isPainting = harness.director.assumeIsolated { $0.isPainting("Virtual-1") }
        writes.withLock { $0.append(isPainting) }
      }
      _ = try await harness.show("Gate 17")
      #expect(writes.withLock { $0 } == [true])
    }
  }

  @Test func `a frame that is presented while its monitor is unplugged causes no warning`() async throws {
    try await withHarness(painters: 1, displays: 1) { harness, _ in
      let gate = Flag()
      harness.hold(gate, at: .beginning)
      async let late = harness.director.setMessage(MessageRequest(text: "Late"))
      await harness.waitWhile { director in !director.isPainting("Virtual-1") }
      let before = harness.modesets.count
      harness.card.unplug("Virtual-1")
      await harness.waitWhile { harness.modesets.count == before }
      gate.set()
      _ = try await late
      await harness.wait { await harness.display("Virtual-1")?.state != .lit }
      await harness.director.probeAll()
      #expect(harness.log.complaints.isEmpty)
      #expect(harness.log.lines.count { $0.contains("Virtual-1: lighting") } <= 1)
    }
  }
}

extension Harness {
  /// Blocks each flip request at a moment until a flag is set.
  fileprivate func hold(_ flag: Flag, at held: FlipMoment) {
    card.duringFlips { [turns] moment, _ in
      guard moment == held else { return }
      turns.signal()
      flag.wait()
    }
  }
}
