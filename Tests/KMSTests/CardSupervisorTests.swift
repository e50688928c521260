import Displays
import Glibc
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import KMS

/// What becomes of cards that cannot be opened. Those that can are the stories' on a real kernel.
struct CardSupervisorTests {
  @Test(.timeLimit(.minutes(1)))
  func `a card that is there and does not answer is tried again, and told of once, until it goes`() async throws {
    let folder = "/tmp/placard-cards-\(getpid())-\(UInt64.random(in: .min ... .max))"
    try #require(unsafe mkdir(folder, 0o700) == 0)
    let card = folder + "/card7"
    defer {
      unsafe unlink(card)
      unsafe rmdir(folder)
    }
    // ENOENT is what a node says whose device goes meanwhile.
    try #require(unsafe symlink("/nowhere/card7", card) == 0)
    let group = NIOSingletons.posixEventLoopGroup
    let supervisor = CardSupervisor(
      loop: group.next(), worker: group.next(), flips: group.next(), isAtomicAllowed: true, directory: folder,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    await supervisor.start()
    var arrivals = supervisor.arrivals.makeAsyncIterator()
    guard case .waiting(card, let reason)? = await arrivals.next() else { throw Unexpected() }
    #expect(reason.contains("card7: it does not answer (open: No such file"), "\(reason)")
    guard case .settled? = await arrivals.next() else { throw Unexpected() }
    // No hint tells of it: it is found by the next try.
    unsafe unlink(card)
    guard case .gone(card)? = await arrivals.next() else { throw Unexpected() }
  }

  @Test func `a card that fails over and over is opened again, less and less often`() {
    var reopening = Reopening()
    var now = NIODeadline.uptimeNanoseconds(0)
    var delays: [TimeAmount] = []
    for _ in 0..<8 {
      let (delay, next) = reopening.opened(at: now).closed(at: now + .seconds(1))
      delays.append(delay)
      reopening = next
      now = now + .seconds(1) + delay
    }
    #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    #expect(reopening.opened(at: now).closed(at: now + .minutes(2)).delay == .seconds(1))
  }

  private struct Unexpected: Error {}
}
