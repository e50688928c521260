import Control
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Testing
import VirtualDisplays
import Waiting

@testable import Director

/// Flips that painters ask for: what a call keeps up that waits for the kernel's locks, and which flips count.
@Suite(.timeLimit(.minutes(5)))
struct PresentingTests {
  /// A rig of one display and more, whose painters have threads of their own.
  private func withRig(
    painters: Int, displays: Int, now: @escaping @Sendable () -> UInt64 = Rig.now,
    _ body: (Rig, [any EventLoop]) async throws -> Void
  ) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: painters)
    defer { group.shutdownGracefully { _ in } }
    let lanes = (0..<painters).map { _ in group.next() }
    let rig = Rig(now: now, lanes: lanes)
    await rig.start()
    for _ in 0..<displays { try await rig.plug(320, 240) }
    try await body(rig, lanes)
    await rig.director.close()
  }

  @Test func `a call for a flip that waits keeps up nothing but its own painter`() async throws {
    try await withRig(painters: 2, displays: 2) { rig, _ in
      let gate = Flag()
      rig.card.duringFlips { _, display in if display == "Virtual-1" { gate.wait() } }
      _ = try await rig.director.setMessage(MessageRequest(text: "Held", display: "Virtual-1"))
      _ = try await rig.show("Free", on: "Virtual-2")
      #expect(await rig.display("Virtual-2")?.message == "Free")
      #expect(await rig.display("Virtual-1")?.message == "Hello")
      gate.set()
      await rig.wait { await rig.display("Virtual-1")?.message == "Held" }
      #expect(rig.modesets.count == 2 && rig.log.complaints.isEmpty)
    }
  }

  @Test func `a flip that is told before its call returns counts`() async throws {
    try await withRig(painters: 1, displays: 1) { rig, _ in
      let gate = Flag()
      rig.hold(gate, at: .end)
      _ = try await rig.director.setMessage(MessageRequest(text: "Next"))
      await rig.waitWhile { director in !director.isTakingFlip("Virtual-1") }
      gate.set()
      await rig.wait { await rig.display("Virtual-1")?.message == "Next" }
      #expect(rig.modesets.count == 1 && rig.log.complaints.isEmpty)
    }
  }

  @Test func `a flip that is told before the card was asked is not that of the picture being painted`() async throws {
    try await withRig(painters: 1, displays: 1) { rig, lanes in
      // With that it has its second buffer.
      _ = try await rig.show("First")
      let gate = Flag()
      lanes[0].execute { gate.wait() }
      rig.card.holdFlips()
      async let posted = rig.director.setMessage(MessageRequest(text: "Next"))
      await rig.waitWhile { director in !director.isPainting("Virtual-1") }
      await rig.director.tellStrayFlip(on: "Virtual-1")
      gate.set()
      _ = try await posted
      await rig.waitWhile { director in !director.awaitsFlip("Virtual-1") }
      await rig.waitWhile { director in director.isTakingFlip("Virtual-1") }
      #expect(await rig.display("Virtual-1")?.message == "First")
      rig.card.releaseFlips()
      await rig.wait { await rig.display("Virtual-1")?.message == "Next" }
    }
  }

  @Test func `a call that does not return is a stall, and painting for long is none`() async throws {
    let passed = Mutex<UInt64>(0)
    try await withRig(painters: 1, displays: 1, now: { Rig.now() + passed.withLock { $0 } }) { rig, lanes in
      _ = try await rig.show("First")
      let (paint, call) = (Flag(), Flag())
      lanes[0].execute { paint.wait() }
      rig.hold(call, at: .beginning)
      async let posted = rig.director.setMessage(MessageRequest(text: "Next"))
      await rig.waitWhile { director in !director.isPainting("Virtual-1") }
      passed.withLock { $0 = 3_600_000_000_000 }
      await rig.director.deadlinePassed("Virtual-1")
      #expect(await rig.display("Virtual-1")?.state == "lit")
      paint.set()
      await rig.waitWhile { director in !director.isAskingCard("Virtual-1") }
      // Counted from now: what was painted first may have been another picture.
      passed.withLock { $0 += 3_600_000_000_000 }
      await rig.director.deadlinePassed("Virtual-1")
      #expect(await ["stalled", "lighting"].contains(rig.display("Virtual-1")?.state))
      #expect(rig.log.complaints.contains { $0.hasPrefix("Virtual-1: stalled") })
      call.set()
      _ = try await posted
      await rig.wait { await rig.display("Virtual-1")?.message == "Next" }
    }
  }

  @Test func `no mode is set before the call for a flip of the mode before has returned`() async throws {
    try await withRig(painters: 1, displays: 1) { rig, _ in
      let gate = Flag()
      rig.hold(gate, at: .end)
      rig.card.holdFlips()
      _ = try await rig.director.setMessage(MessageRequest(text: "Late"))
      await rig.waitWhile { !rig.card.journal.contains("flip Virtual-1") }
      _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
      let before = rig.modesets
      async let woken = rig.director.setAsleep(SleepRequest(asleep: false))
      await rig.isBeingLit("Virtual-1")
      await rig.turns.flush()
      #expect(rig.modesets == before)
      gate.set()
      rig.card.releaseFlips()
      _ = try await woken
      await rig.wait { await rig.display("Virtual-1")?.message == "Late" }
      #expect(rig.modesets.count == before.count + 1 && rig.log.complaints.isEmpty)
    }
  }

  @Test func `a picture that is asked for while its monitor goes is no trouble`() async throws {
    try await withRig(painters: 1, displays: 1) { rig, _ in
      let gate = Flag()
      rig.hold(gate, at: .beginning)
      _ = try await rig.director.setMessage(MessageRequest(text: "Late"))
      await rig.waitWhile { director in !director.isPainting("Virtual-1") }
      let before = rig.modesets.count
      rig.card.unplug("Virtual-1")
      await rig.waitWhile { rig.modesets.count == before }
      gate.set()
      await rig.wait { await rig.display("Virtual-1")?.state != "lit" }
      await rig.director.lookAtAll()
      #expect(rig.log.complaints.isEmpty)
      #expect(rig.log.lines.count { $0.contains("Virtual-1: lighting") } <= 1)
    }
  }
}

extension Rig {
  /// Lets each call for a flip wait for a flag at a moment.
  fileprivate func hold(_ flag: Flag, at held: FlipMoment) {
    card.duringFlips { [turns] moment, _ in
      guard moment == held else { return }
      turns.signal()
      flag.wait()
    }
  }
}
