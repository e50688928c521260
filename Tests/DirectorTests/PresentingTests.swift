import Control
import Glibc
import NIOCore
import NIOPosix
import Testing
import VirtualDisplays

@testable import Director

/// What calls for flips may keep up: they wait for the kernel's locks, which another output's modeset may hold.
@Suite(.timeLimit(.minutes(5)))
struct PresentingTests {
  @Test func `a call for a flip that waits keeps up nothing but its own painter`() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    defer { group.shutdownGracefully { _ in } }
    let rig = Rig(lanes: [group.next(), group.next()])
    await rig.start()
    try await rig.plug(320, 240)
    try await rig.plug(320, 240)
    let gate = Flag()
    rig.card.afterFlips { display in while display == "Virtual-1" && !gate.isSet { sched_yield() } }
    _ = try await rig.director.setMessage(MessageRequest(text: "Held", display: "Virtual-1"))
    _ = try await rig.show("Free", on: "Virtual-2")
    #expect(await rig.display("Virtual-2")?.message == "Free")
    #expect(await rig.display("Virtual-1")?.message == "Hello")
    gate.set()
    await rig.wait { await rig.display("Virtual-1")?.message == "Held" }
    #expect(rig.modesets.count == 2 && rig.log.complaints.isEmpty)
    await rig.director.close()
  }

  @Test func `a flip that is told before its call returns counts`() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { group.shutdownGracefully { _ in } }
    let rig = Rig(lanes: [group.next()])
    await rig.start()
    try await rig.plug(320, 240)
    let gate = Flag()
    rig.card.afterFlips { _ in while !gate.isSet { sched_yield() } }
    _ = try await rig.director.setMessage(MessageRequest(text: "Next"))
    while await !rig.director.isTakingFlip("Virtual-1") { await Task.yield() }
    gate.set()
    await rig.wait { await rig.display("Virtual-1")?.message == "Next" }
    #expect(rig.modesets.count == 1 && rig.log.complaints.isEmpty)
    await rig.director.close()
  }

  @Test(arguments: [false, true])
  func `a call that returns when its display is switched off is no trouble`(isPluggedAgain: Bool) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    defer { group.shutdownGracefully { _ in } }
    let rig = Rig(lanes: [group.next(), group.next()])
    await rig.start()
    try await rig.plug(320, 240)
    let gate = Flag()
    rig.card.afterFlips { _ in while !gate.isSet { sched_yield() } }
    rig.card.holdFlips()
    _ = try await rig.director.setMessage(MessageRequest(text: "Late"))
    while !rig.card.journal.contains("flip Virtual-1") { await Task.yield() }
    async let slept = rig.director.setAsleep(SleepRequest(asleep: true))
    await rig.wait { await rig.display("Virtual-1")?.state == "asleep" }
    gate.set()
    rig.card.releaseFlips()
    _ = try await slept
    if isPluggedAgain {
      try await rig.director.unplug("Virtual-1")
      try await rig.plug(320, 240, into: "Virtual-1")
    }
    _ = try await rig.director.setAsleep(SleepRequest(asleep: false))
    await rig.wait { await rig.display("Virtual-1")?.message == "Late" }
    #expect(rig.log.complaints.isEmpty)
    await rig.director.close()
  }
}
