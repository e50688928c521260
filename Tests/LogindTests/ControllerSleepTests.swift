import Director
import Logging
import Logind
import NIOCore
import NIOPosix
import Testing

@testable import Service

/// The path from the bus to the displays, and back to the inhibitor lock.
struct ControllerSleepTests {
  @Test func `the host does not suspend before the displays are dark, each time`() async throws {
    let bus = try FakeBus()
    let logind = Logind(
      loop: NIOSingletons.posixEventLoopGroup.next(), address: bus.address,
      logger: Logger(label: "test") { _ in Lines() })
    let (asked, asks) = AsyncStream.makeStream(of: Bool.self)
    let (done, finish) = AsyncStream.makeStream(of: Void.self)
    let following = Task {
      await HostSuspend.follow(logind.events) { sleeps in
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
      try await lock.waitUntilReleased()
      try bus.prepareForSleep(false)
      #expect(await sleeps.next() == false)
      finish.yield()
      lock = try bus.answer()
    }
    logind.close()
    await following.value
  }

  @Test func `missing suspend events are reported as a loss, with the reason and the next step`() throws {
    #expect(Loss(LogindPresence.present) == nil)
    let reasons: [LogindPresence] = [.noBus(reason: "connect: no"), .lostBus(reason: "recvmsg: no"), .noLogind]
    let losses = reasons.compactMap { Loss($0) }
    #expect(losses.allSatisfy { $0.cause == .missingBus && $0.object.isEmpty } && losses.count == 3)
    #expect(losses.allSatisfy { $0.text.contains("so external displays do not sleep with the machine") })
    #expect(losses[0].text.contains("(connect: no)") && losses[0].text.contains("restart placardd"))
    #expect(losses[1].text.contains("(recvmsg: no)") && losses[1].text.contains("`systemctl status dbus`"))
    #expect(losses[2].text.contains("`systemctl start systemd-logind`"))
  }
}
