import Displays
import Glibc
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import SystemFiles
import Testing

@testable import KMS

/// The handling of cards that cannot be opened. StoryTests cover the others on a real kernel.
struct CardSupervisorTests {
  @Test(.timeLimit(.minutes(10)))
  func `a card that does not respond is retried until it is removed, and reported once`() async throws {
    let folder = "/tmp/placard-cards-\(getpid())-\(UInt64.random(in: .min ... .max))"
    try #require(unsafe mkdir(folder, 0o700) == 0)
    let card = folder + "/card7"
    defer {
      unsafe unlink(card)
      unsafe rmdir(folder)
    }
    // A node whose device is removed meanwhile fails with ENOENT.
    try #require(unsafe symlink("/nowhere/card7", card) == 0)
    let group = NIOSingletons.posixEventLoopGroup
    let supervisor = CardSupervisor(
      loop: group.next(), workers: [group.next()], flips: group.next(), isAtomicAllowed: true, directory: folder,
      patience: .hours(1), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    await supervisor.start()
    var arrivals = supervisor.arrivals.makeAsyncIterator()
    guard case .waiting(let waiting)? = await arrivals.next(), waiting.path == card else { throw Unexpected() }
    #expect(waiting.reason.contains("card7: the card does not respond (open: No such file"), "\(waiting.reason)")
    #expect(waiting.darkness == .noCard)
    guard case .settled? = await arrivals.next() else { throw Unexpected() }
    // There is no uevent: the next attempt detects it.
    unsafe unlink(card)
    guard case .gone(card)? = await arrivals.next() else { throw Unexpected() }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a card whose open call does not return is reported, with its connectors, and blocks no other card`()
    async throws
  {
    let root = "/tmp/placard-blocked-\(getpid())-\(UInt64.random(in: .min ... .max))"
    let connector = "\(root)/sys/class/drm/card7-HDMI-A-1"
    let folders = ["", "/dev", "/sys", "/sys/class", "/sys/class/drm"].map { root + $0 } + [connector]
    let (card, other) = (root + "/dev/card7", root + "/dev/card8")
    for folder in folders { try #require(unsafe mkdir(folder, 0o700) == 0) }
    for path in [card, other] { try #require(unsafe symlink("/nowhere", path) == 0) }
    for (name, text) in [("status", "connected\n"), ("edid", "EDID")] {
      let file = unsafe open("\(connector)/\(name)", O_WRONLY | O_CREAT, 0o600)
      try #require(unsafe write(file, text, text.utf8.count) == text.utf8.count)
      close(file)
    }
    defer {
      for file in [card, other, "\(connector)/status", "\(connector)/edid"] { unsafe unlink(file) }
      for folder in folders.reversed() { unsafe rmdir(folder) }
    }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 4)
    let workers = [group.next(), group.next()]
    // The open call of card 7 is queued behind this one, which blocks its worker as a call in the kernel does.
    let isReturning = ConditionLock(value: false)
    workers[1].execute {
      isReturning.lock(whenValue: true)
      isReturning.unlock()
    }
    let supervisor = CardSupervisor(
      loop: group.next(), workers: workers, flips: group.next(), isAtomicAllowed: true, directory: root + "/dev",
      files: SystemFiles(root: root), patience: .milliseconds(1),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    await supervisor.start()
    var arrivals = supervisor.arrivals.makeAsyncIterator()

    // Both cards are reported before the call returns, and the initial scan is complete.
    var (reasons, isSettled): ([String: String], Bool) = ([:], false)
    while !isSettled || reasons[other]?.contains("does not respond") != true {
      switch try #require(await arrivals.next()) {
      case .waiting(let waiting):
        reasons[waiting.path] = waiting.reason
        guard waiting.path == card else { continue }
        #expect(waiting.connectors.map(\.name) == ["HDMI-A-1"] && waiting.darkness == .noCard)
        #expect(waiting.connectors.map(\.edid) == [[]])
      case .settled: isSettled = true
      case .ready, .gone: throw Unexpected()
      }
    }
    #expect(
      reasons[card] == "\(card): the kernel has not opened it within 0 s: a driver is blocked; see `dmesg`")

    isReturning.lock()
    isReturning.unlock(withValue: true)
    // Each later attempt may take longer than 1 ms, too, and is then reported as well.
    while reasons[card]?.contains("does not respond") != true {
      guard case .waiting(let waiting)? = await arrivals.next() else { throw Unexpected() }
      reasons[waiting.path] = waiting.reason
    }
    // A later attempt that hangs is reported too, and so is its end, although the reason is that of an earlier attempt.
    isReturning.lock()
    isReturning.unlock(withValue: false)
    workers[1].execute {
      isReturning.lock(whenValue: true)
      isReturning.unlock()
    }
    for expected in ["has not opened it", "does not respond"] {
      while reasons[card]?.contains(expected) != true {
        guard case .waiting(let waiting)? = await arrivals.next() else { throw Unexpected() }
        reasons[waiting.path] = waiting.reason
      }
      guard expected == "has not opened it" else { continue }
      isReturning.lock()
      isReturning.unlock(withValue: true)
    }
    for path in [card, other] { unsafe unlink(path) }
    var left: Set = [card, other]
    while !left.isEmpty, let arrival = await arrivals.next() {
      if case .gone(let path) = arrival { left.remove(path) }
    }
    try await group.shutdownGracefully()
  }

  @Test func `a card that is not open has the connectors in sysfs`() throws {
    let root = "/tmp/placard-sysfs-\(getpid())-\(UInt64.random(in: .min ... .max))"
    let drm = root + "/sys/class/drm"
    let connectors = [
      ("card0-HDMI-A-1", "connected\n"), ("card0-DP-2", "disconnected\n"), ("card0-Writeback-1", "unknown\n"),
      ("card1-VGA-1", "unknown\n"), ("card0-Odd", "connected\n"),
    ]
    var folders = ["", "/sys", "/sys/class", "/sys/class/drm", "/sys/class/drm/card0", "/sys/class/drm/card0/device"]
      .map { root + $0 }
    folders += connectors.map { "\(drm)/\($0.0)" }
    var files: [String] = []
    defer {
      for file in files { unsafe unlink(file) }
      for folder in folders.reversed() { unsafe rmdir(folder) }
    }
    for folder in folders { try #require(unsafe mkdir(folder, 0o700) == 0) }
    func write(_ text: String, to path: String) throws {
      files.append(path)
      let file = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
      defer { close(file) }
      let bytes = Array(text.utf8)
      try #require(unsafe Glibc.write(file, bytes, bytes.count) == bytes.count)
    }
    for (name, status) in connectors { try write(status, to: "\(drm)/\(name)/status") }
    try write("EDID", to: "\(drm)/card0-HDMI-A-1/edid")
    files.append("\(drm)/card0/device/driver")
    try #require(unsafe symlink("../../../../bus/pci/drivers/i915", "\(drm)/card0/device/driver") == 0)

    let system = SystemFiles(root: root)
    let card = system.waitingCard("/dev/dri/card0", .noMaster, because: "held")
    #expect(card.driver == "i915" && card.darkness == .noMaster && card.reason == "held")
    #expect(card.connectors.map(\.name) == ["DP-2", "HDMI-A-1"])
    #expect(card.connectors.map(\.kind.name) == ["DP", "HDMI-A"])
    #expect(card.connectors.map(\.status) == [.disconnected, .connected])
    #expect(card.connectors.map(\.edid) == [[], Array("EDID".utf8)])
    #expect(system.waitingCard("/dev/dri/card1", .noCard, because: "shut").connectors.map(\.status) == [.unknown])
    #expect(system.waitingCard("/dev/dri/card2", .noCard, because: "shut").connectors.isEmpty)
  }

  @Test func `a card that fails repeatedly is reopened with growing delays`() {
    var reopening = ReopenBackoff()
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
