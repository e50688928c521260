import NIOCore
import NIOPosix
import Synchronization
import Testing
import Waiting

struct TurnsTests {
  /// Separate event loops, because a test that blocks one must not block others.
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)

  @Test func `a condition is checked after each job, and each waiter is resumed once`() async {
    let turns = Turns(on: group.next())
    let (observed, count) = (turns.observed(), Count())
    async let first: Void = turns.wait { count.value >= 1 }
    async let second: Void = turns.wait(onActor: false) { count.value >= 3 }
    for _ in 0..<3 { observed.execute { count.increase() } }
    _ = await (first, second)
    #expect(count.value == 3)
  }

  @Test func `a condition that does not need the actor is checked while the actor is blocked`() async {
    let turns = Turns(on: group.next())
    let (gate, count) = (Flag(), Count())
    turns.observed().execute { gate.wait() }
    let other = turns.observed(group.next())
    other.execute { count.increase() }
    await turns.wait(onActor: false) { count.value == 1 }
    gate.set()
  }

  @Test func `a condition that stays false is an issue after the time limit, even on a blocked actor`() async {
    let turns = Turns(on: group.next())
    let gate = Flag()
    turns.observed().execute { gate.wait() }
    await withKnownIssue { await turns.wait(within: .nanoseconds(1)) { false } }
    gate.set()
  }
}

private final class Count: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }
  func increase() { count.withLock { $0 += 1 } }
}
