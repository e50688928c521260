import Logging
import Logind
import NIOCore
import NIOPosix
import Testing

@testable import Service

/// The way from a bus to the displays, and back to the lock.
struct ControllerSleepTests {
  @Test func `The machine waits until the displays are dark, each time`() async throws {
    let bus = try FakeBus()
    let logind = Logind(
      loop: NIOSingletons.posixEventLoopGroup.next(), addresses: [bus.address],
      logger: Logger(label: "test") { _ in Lines() })
    let (asked, asks) = AsyncStream.makeStream(of: Bool.self)
    let (done, finish) = AsyncStream.makeStream(of: Void.self)
    let following = Task {
      await ControllerSleep.follow(logind.events) { sleeps in
        asks.yield(sleeps)
        for await _ in done { break }
      } release: {
        logind.release()
      }
    }
    var sleeps = asked.makeAsyncIterator()
    var lock = try bus.serve()
    for _ in 1...2 {
      try bus.prepareForSleep(true)
      #expect(await sleeps.next() == true)
      #expect(lock.isHeld)
      finish.yield()
      await lock.waitUntilReleased()
      try bus.prepareForSleep(false)
      #expect(await sleeps.next() == false)
      finish.yield()
      lock = try bus.answer()
    }
    logind.close()
    await following.value
  }
}
