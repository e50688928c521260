import Glibc
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Logind

struct LogindTests {
  private let log = Lines()

  private func connect(_ address: String) -> Logind {
    Logind(
      loop: NIOSingletons.posixEventLoopGroup.next(), address: address,
      logger: Logger(label: "test") { _ in log })
  }

  @Test func `the host waits for the lock, suspends after its release, and waits again next time`() async throws {
    let bus = try FakeBus()
    let logind = connect(bus.address)
    defer { logind.close() }
    var events = logind.events.makeAsyncIterator()
    var lock = try bus.serve()
    for round in 1...3 {
      try bus.prepareForSleep(true)
      #expect(await events.next() == .willSleep)
      #expect(lock.isHeld, "round \(round)")
      logind.release()
      try await lock.waitUntilReleased()
      try bus.prepareForSleep(false)
      #expect(await events.next() == .resumed)
      lock = try bus.answer()
    }
    #expect(lock.isHeld)
  }

  @Test func `a lid that is closed at the start is reported, and each of its changes`() async throws {
    let bus = try FakeBus()
    let logind = connect(bus.address)
    defer { logind.close() }
    var events = logind.events.makeAsyncIterator()
    _ = try bus.serve(lidClosed: true)
    #expect(await events.next() == .lidClosed)
    try bus.moveLid(isClosed: false)
    try bus.moveLid(isClosed: true)
    #expect(await events.next() == .lidOpened)
    #expect(await events.next() == .lidClosed)
  }

  @Test func `without a bus there is one log line, and the events end`() async throws {
    let logind = connect("unix:path=/nowhere/bus")
    for await event in logind.events { Issue.record("\(event)") }
    var presence = logind.presence.makeAsyncIterator()
    #expect(await presence.next() == .noBus(reason: "connect: No such file or directory"))
    #expect(await presence.next() == nil)
    #expect(log.all.count == 1 && log.all[0].contains("No such file or directory"), "\(log.all)")
  }

  @Test func `the presence of logind is reported when the bus answers, disappears and returns`() async throws {
    let bus = try FakeBus()
    let logind = connect(bus.address)
    defer { logind.close() }
    var presence = logind.presence.makeAsyncIterator()
    _ = try bus.serve()
    #expect(await presence.next() == .present)
    bus.hangUp()
    guard case .lostBus? = await presence.next() else {
      Issue.record("a bus that hangs up is reported")
      return
    }
    _ = try bus.serve()
    #expect(await presence.next() == .present)
  }

  @Test func `the first reachable address is used`() async throws {
    let bus = try FakeBus()
    let logind = connect("unix:path=/nowhere/bus;\(bus.address)")
    defer { logind.close() }
    #expect(try bus.serve().isHeld)
  }

  @Test func `a bus that disappears during a suspend ends it, releases the lock, and is found again`() async throws {
    let bus = try FakeBus()
    let logind = connect(bus.address)
    defer { logind.close() }
    var events = logind.events.makeAsyncIterator()
    let lock = try bus.serve()
    try bus.prepareForSleep(true)
    #expect(await events.next() == .willSleep)
    bus.hangUp()
    #expect(await events.next() == .resumed)
    try await lock.waitUntilReleased()
    #expect(try bus.serve().isHeld)
    try bus.prepareForSleep(true)
    #expect(await events.next() == .willSleep)
  }

  @Test func `closing releases the lock and ends the events`() async throws {
    let bus = try FakeBus()
    let logind = connect(bus.address)
    let lock = try bus.serve()
    logind.close()
    try await lock.waitUntilReleased()
    for await event in logind.events { Issue.record("\(event)") }
  }

  @Test func `a bus that violates the protocol is disconnected and tried again`() async throws {
    let bus = try FakeBus()
    let logind = connect(bus.address)
    defer { logind.close() }
    let lock = try bus.serve()
    try bus.send(raw: String(repeating: "nonsense", count: 9))
    try await lock.waitUntilReleased()
    #expect(try bus.serve().isHeld)
    #expect(log.all.contains { $0.contains("receive: Bad message") }, "\(log.all)")
  }
}

/// A log handler that records its lines.
final class Lines: LogHandler, Sendable {
  private let lines = Mutex<[String]>([])
  /// An element for each line.
  let lineEvents: AsyncStream<Void>
  private let eventSink: AsyncStream<Void>.Continuation

  init() { (lineEvents, eventSink) = AsyncStream.makeStream() }

  var all: [String] { lines.withLock { $0 } }
  var metadata: Logger.Metadata {
    get { [:] }
    set { _ = newValue }
  }
  var logLevel: Logger.Level {
    get { .info }
    set { _ = newValue }
  }

  subscript(metadataKey _: String) -> Logger.Metadata.Value? {
    get { nil }
    set { _ = newValue }
  }

  func log(event: LogEvent) {
    lines.withLock { $0.append("\(event.message)") }
    eventSink.yield()
  }
}
