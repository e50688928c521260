import Configuration
import Control
import Displays
import Geometry
import Logging
import NIOCore
import NIOPosix
import Scenes
import Testing
import VirtualDisplays
import Waiting

@testable import Director

/// The state that survives a restart of the service.
struct KeepingTests {
  @Test func `a restart restores messages and sleep, with the message in the first frame`() async throws {
    let first = Harness()
    await first.start()
    try await first.plug(320, 240)
    try await first.plug(640, 480)
    _ = try await first.show("Mine", on: "Virtual-1")
    _ = try await first.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-2"))
    _ = try await first.director.post(MessageRequest(text: "For the other", display: "Virtual-2"))
    await first.director.close()

    let second = Harness(persistence: first.persistence)
    _ = second.card.plug(Size(320, 240), into: "Virtual-3")
    await second.start()
    #expect(await second.display("Virtual-3")?.message == "Mine")
    #expect(second.card.journal == ["light Virtual-3 320x240@60"], "with the first modeset")
    #expect(await second.director.messages().map(\.text) == ["For the other", "Mine"])
    #expect(try await second.plug(640, 480, into: "Virtual-4").state == .asleep)
  }

  @Test func `records that could not be read at the start are not overwritten`() async throws {
    let first = Harness()
    await first.start()
    _ = try await first.director.post(MessageRequest(text: "Kept"))
    let late = KeptRecords(first.persistence.records, isReadable: false)
    let second = Harness(persistence: late)
    await second.start()
    _ = try await second.director.post(MessageRequest(text: "New"))
    #expect(late.records.contains { $0.json.contains("Kept") } && late.records.contains { $0.json.contains("New") })
    let again = KeptRecords(late.records, isReadable: false)
    let unread = Harness(persistence: again)
    await unread.start()
    _ = try await unread.director.post(MessageRequest(text: "Newer"))
    #expect(again.records.count { $0.kind == "message" } == 3, "the message has a new ID")
    let third = Harness(persistence: KeptRecords(late.records))
    await third.start()
    #expect(await third.director.messages().map(\.text) == ["New", "Kept"])
  }

  @Test func `stored virtual monitors replace the card's default monitor before the first probe`() async throws {
    let sockets = #"{"v":1,"sockets":[{"name":"Virtual-1"},{"name":"Virtual-2","width":640,"height":480}]}"#
    let persistence = SlowPersistence([Record(kind: "virtual", key: "sockets", json: sockets)])
    let group = NIOSingletons.posixEventLoopGroup
    let turns = Turns(on: group.next())
    let card = VirtualCard(keepsJournal: true, clock: Harness.now)
    _ = card.plug(Size(320, 240), into: nil)
    let director = Director(
      settings: Settings(message: "Hello"), loop: turns.observed(), renderLoops: [turns.observed(group.next())],
      environment: Director.Environment(
        backend: .virtual, version: "test", pid: 1, now: Harness.now, wallClock: { 1 }, sinceBoot: { 1 },
        simulator: card),
      persistence: persistence, logger: Logger(label: "test") { _ in KeptLog() })
    await director.start(VirtualSource(card))
    // A probe that did not wait for the records would be complete now.
    await turns.flush()
    #expect(card.probes == 0)
    persistence.release()
    await director.settled()
    #expect(await director.displays().map(\.name) == ["Virtual-2", "Virtual-1"])
    #expect(await director.sessions().map(\.label) == ["PLC 640x480"])
    await director.close()
  }

  @Test func `a slow persistence delays the first frame and commands, but not the probe`() async throws {
    let persistence = SlowPersistence()
    let group = NIOSingletons.posixEventLoopGroup
    let turns = Turns(on: group.next())
    let card = VirtualCard(keepsJournal: true, clock: Harness.now)
    _ = card.plug(Size(320, 240), into: nil)
    let director = Director(
      settings: Settings(message: "Hello"), loop: turns.observed(), renderLoops: [turns.observed(group.next())],
      environment: Director.Environment(
        backend: .virtual, version: "test", pid: 1, now: Harness.now, wallClock: { 1 }, sinceBoot: { 1 }),
      persistence: persistence, logger: Logger(label: "test") { _ in KeptLog() })
    await director.start(VirtualSource(card))
    await turns.wait { !director.assumeIsolated { $0.displays().isEmpty } }
    let command = Task {
      await director.settled(within: .nanoseconds(1))
      return try await director.post(MessageRequest(text: "Not lost"))
    }
    // A command that did not wait would be complete now.
    await turns.flush()
    #expect(card.probes == 1)
    #expect(card.journal == [])
    persistence.release()
    _ = try await command.value
    await director.settled()
    #expect(await director.messages().map(\.text) == ["Not lost"])
    #expect(card.journal.first == "light Virtual-1 320x240@60")
    await director.close()
  }

  @Test func `monitors absent for 91 days are forgotten, but sessions without a monitor are not`() async throws {
    let harness = Harness()
    await harness.start()
    _ = try await harness.director.open(OpenRequest(scene: Scene.banner("For a new monitor").document, tag: "waits"))
    harness.clock.now += 91 * 86_400_000
    try await harness.plug(320, 240)
    #expect(
      await harness.director.sessions().map(\.message) == ["For a new monitor"], "it was plugged in before the limit")
    try await harness.director.unplug("Virtual-1")
    harness.clock.now += 91 * 86_400_000
    try await harness.plug(640, 480)
    try await harness.director.unplug("Virtual-1")
    #expect(await harness.director.sessions().isEmpty)
    _ = try await harness.director.open(OpenRequest(scene: Scene.banner("Now").document, tag: "now"))
    harness.clock.now += 91 * 86_400_000
    _ = try await harness.director.open(OpenRequest(scene: Scene.banner("Later").document, tag: "later"))
    #expect(await harness.director.sessions().map(\.message) == ["Now", "Later"])
    #expect(!harness.persistence.records.contains { $0.kind == "profile" })
  }

  @Test func `monitors are remembered after a clock that started in 1970 is corrected`() async throws {
    let harness = Harness()
    await harness.start()
    for size in [320, 640] {
      try await harness.plug(size, 240, into: "Virtual-1")
      _ = try await harness.director.open(OpenRequest(scene: Scene.banner("\(size)").document, display: "Virtual-1"))
      try await harness.director.unplug("Virtual-1")
    }
    await harness.director.close()
    let clock = ManualClock(20_000)
    let later = Harness(clock: clock, persistence: KeptRecords(harness.persistence.records))
    await later.start()
    try await later.plug(640, 240)
    try await later.director.unplug("Virtual-1")
    clock.set(harness.clock.now + 1000 * 86_400_000)
    _ = try await later.director.open(OpenRequest(scene: Scene.banner("Later").document, tag: "later"))
    try await later.plug(800, 600)
    try await later.director.unplug("Virtual-1")
    #expect(Set(await later.director.sessions().map(\.message)).isSuperset(of: ["320", "640"]))
  }

  @Test func `a service that was off for 1000 days remembers its monitors`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(320, 240)
    _ = try await harness.director.open(OpenRequest(scene: Scene.banner("Mine").document, display: "Virtual-1"))
    await harness.director.close()
    let later = Harness(
      clock: ManualClock(harness.clock.now + 1000 * 86_400_000), persistence: KeptRecords(harness.persistence.records))
    await later.start()
    try await later.plug(320, 240)
    await later.rest()
    #expect(await later.display("Virtual-1")?.message == "Mine")
  }

  @Test func `a reload applies new scenes and tags, and enables a display that was dark`() async throws {
    let harness = Harness(crtcs: 1)
    await harness.start()
    try await harness.plug(320, 240)
    _ = try await harness.director.post(MessageRequest(text: "For the lobby", tag: "lobby"))
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.message == "Hello")
    let lobby = Settings(message: "Hello", roles: [.external: DisplayRequests(scene: .banner("Role"), tags: ["lobby"])])
    await harness.director.apply(lobby)
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.message == "For the lobby")
    await harness.director.apply(
      Settings(message: "Hello", roles: [.external: DisplayRequests(scene: .banner("Role"))]))
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.message == "Role")
    harness.card.inject(.failCommit(.refused))
    await harness.director.controllerSleeps(true)
    await harness.director.controllerSleeps(false)
    #expect(await harness.darkness(of: "Virtual-1") != nil)
    harness.card.inject(.failCommit(.refused), count: 0)
    await harness.director.apply(Settings(message: "Hello"))
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.message == "Hello")
  }

  @Test func `messages for a session's tag follow the session to another display`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(320, 240)
    try await harness.plug(640, 480)
    let open = OpenRequest(scene: Scene.banner("Talk").document, display: "Virtual-1", tag: "talk")
    let session = try #require(try await harness.director.open(open).id)
    _ = try await harness.director.post(MessageRequest(text: "Break", tag: "talk", priority: 1))
    await harness.rest()
    #expect(await harness.director.displays().prefix(2).map(\.message) == ["Break", "Hello"])
    _ = try await harness.director.move(session, to: "Virtual-2")
    await harness.rest()
    #expect(await harness.director.displays().prefix(2).map(\.message) == ["Hello", "Break"])
  }
}

/// A persistence that loads its records only after a release.
private final class SlowPersistence: Persistence {
  private let (gate, opener) = AsyncStream.makeStream(of: Void.self)
  private let records: [Record]

  init(_ records: [Record] = []) { self.records = records }

  func release() { opener.finish() }

  func load() async -> [Record]? {
    for await _ in gate {}
    return records
  }

  func write(_ changes: [RecordChange]) {}
  func note(_ step: HistoryChange) {}
  func settled() async {}
  func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine] { [] }
  func summary() async -> PersistenceSummary { PersistenceSummary(nil) }
}
