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

/// Outputs stay lit, and dark ones are retried, if the cause is not the monitor itself.
struct PatienceTests {
  @Test func `a flip that arrives while its painter is busy counts as in time`() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { group.shutdownGracefully { _ in } }
    let passed = Mutex<UInt64>(0)
    let harness = Harness(now: { Harness.now() + passed.withLock { $0 } }, renderLoops: [group.next()])
    await harness.start()
    harness.card.holdFlips()
    harness.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"))
    await harness.waitWhile { director in !director.awaitsFlip("Virtual-1") }
    // The block stands for a large frame of another display. The painter checks whether the first frame was wiped.
    let isDone = Flag()
    group.next().execute { isDone.wait() }
    harness.card.releaseFlips()
    await harness.waitWhile { director in !director.isTakingFlip("Virtual-1") }
    passed.withLock { $0 = 120_000_000_000 }
    await harness.director.deadlinePassed("Virtual-1")
    #expect(await harness.display("Virtual-1")?.state == .lighting)
    isDone.set()
    await harness.wait { await harness.display("Virtual-1")?.state == .lit }
    #expect(harness.modesets.count == 1 && harness.log.complaints.isEmpty)
    await harness.director.close()
  }

  @Test func `the buffer of a refused mode is freed before the next mode is tried`() async throws {
    let harness = Harness(crtcs: 1)
    let sizes = [Size(1280, 720), Size(800, 600), Size(640, 480)]
    harness.card.plug(VirtualMonitor(size: sizes[0], name: "a"), into: "Virtual-1")
    harness.card.reshape("Virtual-1") { $0.modes = sizes.map { Mode(size: $0, refresh: 60000) } }
    for size in sizes.dropLast() { harness.card.inject(.refuseSize(size)) }
    let counts = Mutex<[Int]>([])
    let card = harness.card
    harness.card.during(.check) { counts.withLock { $0.append(card.liveBuffers) } }
    await harness.start()
    #expect(await harness.display("Virtual-1")?.mode == "640x480@60")
    #expect(counts.withLock { $0 } == [1, 1, 1])
  }

  @Test func `a lit display keeps its mode and its buffers when another mode is refused`() async throws {
    let harness = Harness()
    harness.card.plug(VirtualMonitor(size: Size(640, 480), name: "a"), into: "Virtual-1")
    let sizes = [Size(640, 480), Size(320, 240)]
    harness.card.reshape("Virtual-1") { $0.modes = sizes.map { Mode(size: $0, refresh: 60000) } }
    await harness.start()
    harness.card.inject(.refuseSize(Size(320, 240)))
    _ = try? await harness.director.setMode("Virtual-1", ModeRequest(mode: "320x240", keep: true))
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.mode == "640x480@60")
    #expect(try await harness.show("Still here").shown.map(\.display) == ["Virtual-1"])
    #expect(harness.card.liveBuffers == 2)
  }

  @Test func `a display that was lit is retried even if the retry budget of its card is used up`() async throws {
    let harness = Harness()
    harness.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"), into: "Virtual-1")
    harness.card.reshape("Virtual-1") { $0.modes = [Mode(size: Size(320, 240), refresh: 60000)] }
    await harness.start()
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    // Retries for a monitor without an EDID are limited.
    await harness.director.exhaustRetryBudget()
    harness.card.inject(.fail(.light, .refused), count: 1)
    _ = try? await harness.director.setAsleep(SleepRequest(asleep: false))
    await harness.wait { await harness.display("Virtual-1")?.state == .lit }
    #expect(harness.card.injectedFaultCount == 1)
  }

  @Test func `a display that was never lit does not renew the retry budget of its card`() async throws {
    let harness = Harness(patience: .init(flip: 1_000_000, busy: 1_000_000))
    harness.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"), into: "Virtual-1")
    harness.card.reshape("Virtual-1") { $0.modes = [Mode(size: Size(320, 240), refresh: 60000)] }
    harness.card.inject(.swallowFlip)
    await harness.start()
    await harness.director.exhaustRetryBudget()
    await harness.director.probeAll()
    #expect(await harness.darkness(of: "Virtual-1") != nil)
    #expect(await harness.director.isRetryBudgetExhausted)
  }

  @Test func `a display whose only mode is refused is retried once a minute`() async throws {
    let harness = Harness()
    harness.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"), into: "Virtual-1")
    harness.card.reshape("Virtual-1") { $0.modes = [Mode(size: Size(320, 240), refresh: 60000)] }
    harness.card.inject(.refuseSize(Size(320, 240)))
    await harness.start()
    #expect(await harness.darkness(of: "Virtual-1")?.cause == .refused)
    await harness.director.exhaustRetryBudget()
    await harness.director.probeAll()
    #expect(await harness.darkness(of: "Virtual-1")?.cause == .refused)
    #expect(await harness.director.retryDelays == [.seconds(60)])
    #expect(await harness.director.isProbeDue)
    // The driver accepts the mode later, without an event. This probe stands for the timer's.
    harness.card.inject(.refuseSize(Size(320, 240)), count: 0)
    await harness.director.probeAll()
    await harness.wait { await harness.display("Virtual-1")?.state == .lit }
    await harness.director.probeAll()
    #expect(await harness.director.retryDelays == [nil], "no timer is armed while all displays are lit")
  }

  @Test func `the retry delays of refused modes grow from 500 ms to a minute`() {
    let delays = (0..<7).map { CardMachine.RetryBudget.refused.delay(after: $0) }
    #expect(delays.prefix(4) == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)])
    #expect(delays.suffix(3) == [.seconds(60), .seconds(60), .seconds(60)])
    #expect(CardMachine.RetryBudget.soon.delay(after: 4) == nil)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a hotplug event while another program is DRM master renews the retry budget`() async throws {
    let harness = Harness()
    harness.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"), into: "Virtual-1")
    await harness.start()
    harness.card.setMaster(false)
    await harness.wait { await harness.display("Virtual-1")?.cause == .noMaster }
    // Another program has been DRM master for hours.
    await harness.director.countRetries(1000)
    // It closes the node before the kernel releases master, so the probe after this hotplug event is too early.
    harness.card.setMaster(false)
    await harness.waitWhile { director in director.mostRetries >= 1000 }
    #expect(await harness.director.retryDelays.allSatisfy { $0.map { $0 < .seconds(5) } ?? false })
    harness.card.setMaster(true, isReported: false)
    await harness.wait { await harness.display("Virtual-1")?.state == .lit }
  }

  @Test func `a stall does not renew the retry budget`() async throws {
    let passed = Mutex<UInt64>(0)
    let harness = Harness(now: { Harness.now() + passed.withLock { $0 } })
    harness.card.holdFlips()
    harness.card.plug(VirtualMonitor(size: Size(320, 240), name: "a"), into: "Virtual-1")
    await harness.director.start(VirtualSource(harness.card))
    await harness.waitWhile { director in !director.awaitsFlip("Virtual-1") }
    await harness.director.probeAll()
    await harness.director.exhaustRetryBudget()
    passed.withLock { $0 = 120_000_000_000 }
    #expect(await harness.director.isBudgetExhaustedAfterStall("Virtual-1"))
    await harness.director.close()
  }

  @Test func `a refused display is retried after a modeset of another display of its card`() async throws {
    let harness = Harness()
    harness.card.plug(VirtualMonitor(size: Size(640, 480), name: "a"), into: "Virtual-1")
    harness.card.plug(VirtualMonitor(size: Size(800, 600), name: "b"), into: "Virtual-2")
    let sizes = [Size(640, 480), Size(320, 240)]
    harness.card.reshape("Virtual-1") { $0.modes = sizes.map { Mode(size: $0, refresh: 60000) } }
    harness.card.reshape("Virtual-2") { $0.modes = [Mode(size: Size(800, 600), refresh: 60000)] }
    harness.card.inject(.refuseSize(Size(800, 600)))
    await harness.start()
    #expect(await harness.darkness(of: "Virtual-2")?.cause == .refused)
    await harness.director.exhaustRetryBudget()
    // The two displays share the bandwidth of one cable.
    harness.card.inject(.refuseSize(Size(800, 600)), count: 0)
    _ = try await harness.director.setMode("Virtual-1", ModeRequest(mode: "320x240", keep: true))
    await harness.wait { await harness.display("Virtual-2")?.state == .lit }
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
