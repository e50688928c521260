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

/// What outlives the service, and what does not.
struct KeepingTests {
  @Test func `what was there is there again, before anything else is lit or answered`() async throws {
    let first = Rig()
    await first.start()
    try await first.plug(320, 240)
    try await first.plug(640, 480)
    _ = try await first.show("Mine", on: "Virtual-1")
    _ = try await first.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-2"))
    _ = try await first.director.post(MessageRequest(text: "For the other", display: "Virtual-2"))
    await first.director.close()

    let second = Rig(keeper: first.keeper)
    _ = second.card.plug(Size(320, 240), into: "Virtual-3")
    await second.start()
    #expect(await second.display("Virtual-3")?.message == "Mine")
    #expect(second.card.journal == ["light Virtual-3 320x240@60"], "in the first frame")
    #expect(await second.director.messages().map(\.text) == ["For the other", "Mine"])
    #expect(try await second.plug(640, 480, into: "Virtual-4").state == "asleep")
  }

  @Test func `what could not be read at the start is not written over`() async throws {
    let first = Rig()
    await first.start()
    _ = try await first.director.post(MessageRequest(text: "Kept"))
    let late = KeptRecords(first.keeper.records, isReadable: false)
    let second = Rig(keeper: late)
    await second.start()
    _ = try await second.director.post(MessageRequest(text: "New"))
    #expect(late.records.contains { $0.json.contains("Kept") } && late.records.contains { $0.json.contains("New") })
    let again = KeptRecords(late.records, isReadable: false)
    let unread = Rig(keeper: again)
    await unread.start()
    _ = try await unread.director.post(MessageRequest(text: "Newer"))
    #expect(again.records.count { $0.kind == "message" } == 3, "another number than the last time")
    let third = Rig(keeper: KeptRecords(late.records))
    await third.start()
    #expect(await third.director.messages().map(\.text) == ["New", "Kept"])
  }

  @Test func `the monitor of a virtual card's start is never seen if others were plugged in before the restart`()
    async throws
  {
    let sockets = #"{"v":1,"sockets":[{"name":"Virtual-1"},{"name":"Virtual-2","width":640,"height":480}]}"#
    let keeper = SlowKeeper([Record(kind: "virtual", key: "sockets", json: sockets)])
    let group = NIOSingletons.posixEventLoopGroup
    let turns = Turns(on: group.next())
    let card = VirtualCard(keepsJournal: true, clock: Rig.now)
    _ = card.plug(Size(320, 240), into: nil)
    let director = Director(
      settings: Settings(message: "Hello"), loop: turns.observed(), lanes: [turns.observed(group.next())],
      environment: Director.Environment(
        backend: "virtual", version: "test", pid: 1, now: Rig.now, wallClock: { 1 }, sinceBoot: { 1 }, simulator: card),
      keeper: keeper, logger: Logger(label: "test") { _ in KeptLog() })
    await director.start(VirtualSource(card))
    // A probe that does not wait for the records is over now.
    await turns.flush()
    #expect(card.probes == 0)
    keeper.release()
    await director.settled()
    #expect(await director.displays().map(\.name) == ["Virtual-2", "Virtual-1"])
    #expect(await director.sessions().map(\.label) == ["PLC 640x480"])
    await director.close()
  }

  @Test func `a slow keeper delays the first frame, but no probe, and takes no command back`() async throws {
    let keeper = SlowKeeper()
    let group = NIOSingletons.posixEventLoopGroup
    let turns = Turns(on: group.next())
    let card = VirtualCard(keepsJournal: true, clock: Rig.now)
    _ = card.plug(Size(320, 240), into: nil)
    let director = Director(
      settings: Settings(message: "Hello"), loop: turns.observed(), lanes: [turns.observed(group.next())],
      environment: Director.Environment(
        backend: "virtual", version: "test", pid: 1, now: Rig.now, wallClock: { 1 }, sinceBoot: { 1 }),
      keeper: keeper, logger: Logger(label: "test") { _ in KeptLog() })
    await director.start(VirtualSource(card))
    await turns.wait { !director.assumeIsolated { $0.displays().isEmpty } }
    let command = Task {
      await director.settled(within: .nanoseconds(1))
      return try await director.post(MessageRequest(text: "Not lost"))
    }
    // A command that does not wait is carried out now.
    await turns.flush()
    #expect(card.probes == 1)
    #expect(card.journal == [])
    keeper.release()
    _ = try await command.value
    await director.settled()
    #expect(await director.messages().map(\.text) == ["Not lost"])
    #expect(card.journal.first == "light Virtual-1 320x240@60")
    await director.close()
  }

  @Test func `monitors that are gone for long are forgotten while the service runs, and no session that waits for one`()
    async throws
  {
    let rig = Rig()
    await rig.start()
    _ = try await rig.director.open(OpenRequest(scene: Scene.banner("For nobody").document, tag: "waits"))
    rig.clock.now += 91 * 86_400_000
    try await rig.plug(320, 240)
    #expect(await rig.director.sessions().map(\.message) == ["For nobody"], "it came in time")
    try await rig.director.unplug("Virtual-1")
    rig.clock.now += 91 * 86_400_000
    try await rig.plug(640, 480)
    try await rig.director.unplug("Virtual-1")
    #expect(await rig.director.sessions().isEmpty)
    _ = try await rig.director.open(OpenRequest(scene: Scene.banner("Now").document, tag: "now"))
    rig.clock.now += 91 * 86_400_000
    _ = try await rig.director.open(OpenRequest(scene: Scene.banner("Later").document, tag: "later"))
    #expect(await rig.director.sessions().map(\.message) == ["Now", "Later"])
    #expect(!rig.keeper.records.contains { $0.kind == "seat" })
  }

  @Test func `a machine that boots in 1970 remembers its monitors when its clock is right again`() async throws {
    let rig = Rig()
    await rig.start()
    for size in [320, 640] {
      try await rig.plug(size, 240, into: "Virtual-1")
      _ = try await rig.director.open(OpenRequest(scene: Scene.banner("\(size)").document, display: "Virtual-1"))
      try await rig.director.unplug("Virtual-1")
    }
    await rig.director.close()
    let clock = HandClock(20_000)
    let later = Rig(clock: clock, keeper: KeptRecords(rig.keeper.records))
    await later.start()
    try await later.plug(640, 240)
    try await later.director.unplug("Virtual-1")
    clock.set(rig.clock.now + 1000 * 86_400_000)
    _ = try await later.director.open(OpenRequest(scene: Scene.banner("Later").document, tag: "later"))
    try await later.plug(800, 600)
    try await later.director.unplug("Virtual-1")
    #expect(Set(await later.director.sessions().map(\.message)).isSuperset(of: ["320", "640"]))
  }

  @Test func `a service that was off for years remembers its monitors`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(320, 240)
    _ = try await rig.director.open(OpenRequest(scene: Scene.banner("Mine").document, display: "Virtual-1"))
    await rig.director.close()
    let later = Rig(clock: HandClock(rig.clock.now + 1000 * 86_400_000), keeper: KeptRecords(rig.keeper.records))
    await later.start()
    try await later.plug(320, 240)
    await later.rest()
    #expect(await later.display("Virtual-1")?.message == "Mine")
  }

  @Test func `a reload brings other scenes and tags, and lights what no rule allowed before`() async throws {
    let rig = Rig(crtcs: 1)
    await rig.start()
    try await rig.plug(320, 240)
    _ = try await rig.director.post(MessageRequest(text: "For the lobby", tag: "lobby"))
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.message == "Hello")
    let lobby = Settings(message: "Hello", roles: [.external: DisplayRequests(scene: .banner("Role"), tags: ["lobby"])])
    await rig.director.apply(lobby)
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.message == "For the lobby")
    await rig.director.apply(Settings(message: "Hello", roles: [.external: DisplayRequests(scene: .banner("Role"))]))
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.message == "Role")
    rig.card.inject(.failCommit(.refused), count: 1)
    await rig.director.controllerSleeps(true)
    await rig.director.controllerSleeps(false)
    _ = await rig.darkness(of: "Virtual-1")
    await rig.director.apply(Settings(message: "Hello"))
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.message == "Hello")
  }

  @Test func `messages for a session's tag move with the session`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(320, 240)
    try await rig.plug(640, 480)
    let open = OpenRequest(scene: Scene.banner("Talk").document, display: "Virtual-1", tag: "talk")
    let session = try #require(try await rig.director.open(open).id)
    _ = try await rig.director.post(MessageRequest(text: "Break", tag: "talk", priority: 1))
    await rig.rest()
    #expect(await rig.director.displays().prefix(2).map(\.message) == ["Break", "Hello"])
    _ = try await rig.director.move(session, to: "Virtual-2")
    await rig.rest()
    #expect(await rig.director.displays().prefix(2).map(\.message) == ["Hello", "Break"])
  }
}

/// A keeper whose disk turns slowly.
private final class SlowKeeper: Persistence {
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
