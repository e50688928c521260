import Configuration
import Control
import Displays
import Geometry
import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Synchronization
import Testing
import VirtualDisplays

@testable import Director
@testable import Outputs

/// What is lit stays lit, and what is dark is tried again, where something else than the monitor itself is in the way.
struct PatienceTests {
  @Test func `a flip that comes while its painter is at work elsewhere came in time`() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { group.shutdownGracefully { _ in } }
    let passed = Mutex<UInt64>(0)
    let rig = Rig(now: { Rig.now() + passed.withLock { $0 } }, lanes: [group.next()])
    await rig.start()
    rig.card.holdFlips()
    rig.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"))
    await rig.waitWhile { director in !director.awaitsFlip("Virtual-1") }
    // As a large picture for another display would be. Whether the first one was wiped is the painter's to see.
    let isDone = Flag()
    group.next().execute { isDone.wait() }
    rig.card.releaseFlips()
    await rig.waitWhile { director in !director.isTakingFlip("Virtual-1") }
    passed.withLock { $0 = 120_000_000_000 }
    await rig.director.deadlinePassed("Virtual-1")
    #expect(await rig.display("Virtual-1")?.state == "lighting")
    isDone.set()
    await rig.wait { await rig.display("Virtual-1")?.state == "lit" }
    #expect(rig.modesets.count == 1 && rig.log.complaints.isEmpty)
    await rig.director.close()
  }

  @Test func `a mode that is refused gives its buffer back before the next one is tried`() async throws {
    let rig = Rig(crtcs: 1)
    let sizes = [Size(1280, 720), Size(800, 600), Size(640, 480)]
    rig.card.plug(VirtualMonitor(size: sizes[0], name: "a"), into: "Virtual-1")
    rig.card.reshape("Virtual-1") { $0.modes = sizes.map { Mode(size: $0, refresh: 60000) } }
    for size in sizes.dropLast() { rig.card.inject(.refuseSize(size)) }
    let counts = Mutex<[Int]>([])
    let card = rig.card
    rig.card.during(.check) { counts.withLock { $0.append(card.liveBuffers) } }
    await rig.start()
    #expect(await rig.display("Virtual-1")?.mode == "640x480@60")
    #expect(counts.withLock { $0 } == [1, 1, 1])
  }

  @Test func `a mode that is refused to a lit display leaves its picture where it was`() async throws {
    let rig = Rig()
    rig.card.plug(VirtualMonitor(size: Size(640, 480), name: "a"), into: "Virtual-1")
    let sizes = [Size(640, 480), Size(320, 240)]
    rig.card.reshape("Virtual-1") { $0.modes = sizes.map { Mode(size: $0, refresh: 60000) } }
    await rig.start()
    rig.card.inject(.refuseSize(Size(320, 240)))
    _ = try? await rig.director.setMode("Virtual-1", ModeRequest(mode: "320x240", keep: true))
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.mode == "640x480@60")
    #expect(try await rig.show("Still here").shown.map(\.display) == ["Virtual-1"])
    #expect(rig.card.liveBuffers == 2)
  }

  @Test func `a display that was lit is tried again, however often its card was looked at before`() async throws {
    let rig = Rig()
    rig.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"), into: "Virtual-1")
    rig.card.reshape("Virtual-1") { $0.modes = [Mode(size: Size(320, 240), refresh: 60000)] }
    await rig.start()
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    // A monitor without an EDID is looked for a few times, and then no more.
    await rig.director.giveUpHope()
    rig.card.inject(.fail(.light, .refused), count: 1)
    _ = try? await rig.director.setAsleep(SleepRequest(asleep: false))
    await rig.wait { await rig.display("Virtual-1")?.state == "lit" }
    #expect(rig.card.injectedFaultCount == 1)
  }

  @Test func `a display that never was lit is tried a few times, then rarely`() async throws {
    let rig = Rig(patience: .init(flip: 1_000_000, busy: 1_000_000))
    rig.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"), into: "Virtual-1")
    rig.card.reshape("Virtual-1") { $0.modes = [Mode(size: Size(320, 240), refresh: 60000)] }
    rig.card.inject(.swallowFlip)
    await rig.start()
    await rig.director.giveUpHope()
    await rig.director.lookAtAll()
    #expect(await rig.darkness(of: "Virtual-1") != nil)
    #expect(await rig.director.isHopeless)
  }

  @Test func `a display whose only mode was refused five times is tried on, once a minute`() async throws {
    let rig = Rig()
    rig.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"), into: "Virtual-1")
    rig.card.reshape("Virtual-1") { $0.modes = [Mode(size: Size(320, 240), refresh: 60000)] }
    rig.card.inject(.refuseSize(Size(320, 240)))
    await rig.start()
    #expect(await rig.darkness(of: "Virtual-1")?.cause == "refused")
    await rig.director.giveUpHope()
    await rig.director.lookAtAll()
    #expect(await rig.darkness(of: "Virtual-1")?.cause == "refused")
    #expect(await rig.director.waits == [.seconds(60)])
    #expect(await rig.director.isLookDue)
    // The driver takes the mode later, and nothing tells of it. The look stands for the timer's.
    rig.card.inject(.refuseSize(Size(320, 240)), count: 0)
    await rig.director.lookAtAll()
    await rig.wait { await rig.display("Virtual-1")?.state == "lit" }
    await rig.director.lookAtAll()
    #expect(await rig.director.waits == [nil], "nothing wakes a machine whose displays are lit")
  }

  @Test func `refused modes are tried soon at first, then once a minute`() {
    let delays = (0..<7).map { CardMachine.Hope.refused.delay(after: $0) }
    #expect(delays.prefix(4) == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)])
    #expect(delays.suffix(3) == [.seconds(60), .seconds(60), .seconds(60)])
    #expect(CardMachine.Hope.soon.delay(after: 4) == nil)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a hint of another master's end begins the tries anew, 20 ms apart`() async throws {
    let rig = Rig()
    rig.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"), into: "Virtual-1")
    await rig.start()
    rig.card.setMaster(false)
    await rig.wait { await rig.display("Virtual-1")?.cause == "noMaster" }
    // Another program has had the card for hours.
    await rig.director.countRetries(1000)
    // It closes the node before the kernel releases master: the look that this hint asks for comes too early.
    rig.card.setMaster(false)
    await rig.waitWhile { director in director.mostRetries >= 1000 }
    #expect(await rig.director.waits.allSatisfy { $0.map { $0 < .seconds(5) } ?? false })
    rig.card.setMaster(true, isTold: false)
    await rig.wait { await rig.display("Virtual-1")?.state == "lit" }
  }

  @Test func `tries count on while a display has stalled`() async throws {
    let passed = Mutex<UInt64>(0)
    let rig = Rig(now: { Rig.now() + passed.withLock { $0 } })
    rig.card.holdFlips()
    rig.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"), into: "Virtual-1")
    await rig.director.start(VirtualSource(rig.card))
    await rig.waitWhile { director in !director.awaitsFlip("Virtual-1") }
    await rig.director.lookAtAll()
    await rig.director.giveUpHope()
    passed.withLock { $0 = 120_000_000_000 }
    #expect(await rig.director.isHopelessOnceStalled("Virtual-1"))
    await rig.director.close()
  }

  @Test func `a display that was refused is tried again when another one of its card has a mode set`() async throws {
    let rig = Rig()
    rig.card.plug(VirtualMonitor(size: Size(640, 480), name: "a"), into: "Virtual-1")
    rig.card.plug(VirtualMonitor(size: Size(800, 600), name: "b"), into: "Virtual-2")
    let sizes = [Size(640, 480), Size(320, 240)]
    rig.card.reshape("Virtual-1") { $0.modes = sizes.map { Mode(size: $0, refresh: 60000) } }
    rig.card.reshape("Virtual-2") { $0.modes = [Mode(size: Size(800, 600), refresh: 60000)] }
    rig.card.inject(.refuseSize(Size(800, 600)))
    await rig.start()
    #expect(await rig.darkness(of: "Virtual-2")?.cause == "refused")
    await rig.director.giveUpHope()
    // The two share what one cable can carry.
    rig.card.inject(.refuseSize(Size(800, 600)), count: 0)
    _ = try await rig.director.setMode("Virtual-1", ModeRequest(mode: "320x240", keep: true))
    await rig.wait { await rig.display("Virtual-2")?.state == "lit" }
  }
}

/// A flag that is set once, from any thread, and that threads can wait for.
final class Flag: Sendable {
  private let lock = ConditionLock(value: false)

  var isSet: Bool { lock.value }

  func set() {
    lock.lock()
    lock.unlock(withValue: true)
  }

  /// Blocks the calling thread until the flag is set.
  func wait() {
    lock.lock(whenValue: true)
    lock.unlock()
  }
}
