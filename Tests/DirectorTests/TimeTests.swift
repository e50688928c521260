import Configuration
import Control
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// What time does to pictures: clocks, pages that turn, messages that end; and that nothing is armed without need.
struct TimeTests {
  /// 2026-11-21 12:00:30 UTC; the minute is over in 30 s.
  private static let noon: Int64 = 1_795_262_430_000

  private func clockRig() async throws -> Rig {
    let rig = Rig()
    await rig.start()
    try await rig.plug(320, 240)
    let clock = Scene(.clock(Clock(zone: "UTC"))).document
    _ = try await rig.director.open(OpenRequest(scene: clock, display: "Virtual-1", wait: true))
    await rig.rest()
    return rig
  }

  @Test func `nothing is armed for a banner`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(320, 240)
    _ = try await rig.show("Still")
    #expect(await rig.director.timerDue == nil)
  }

  @Test func `against burn-in a banner moves once a minute, and not while its display sleeps`() async throws {
    var settings = Settings(message: "Hello")
    settings.style.burnInShift = 4
    let rig = Rig(settings)
    await rig.start()
    try await rig.plug(320, 240)
    await rig.rest()
    #expect(await rig.director.timerDue == Self.noon + 30_000)
    let before = try await rig.director.screenshot("Virtual-1", ScreenshotRequest())
    let flips = rig.card.journal.count
    rig.clock.now = Self.noon + 30_000
    await rig.director.momentCame()
    await rig.rest()
    #expect(try await rig.director.screenshot("Virtual-1", ScreenshotRequest()) != before)
    #expect(rig.card.journal.count == flips + 1)
    #expect(await rig.director.timerDue == Self.noon + 90_000)
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    #expect(await rig.director.timerDue == nil)
  }

  @Test func `a clock's timer waits for the next minute, and for nothing while its display sleeps or is gone`()
    async throws
  {
    let rig = try await clockRig()
    let minute = Self.noon + 30_000
    #expect(await rig.director.timerDue == minute)
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    #expect(await rig.director.timerDue == nil)
    _ = try await rig.director.setAsleep(SleepRequest(asleep: false))
    #expect(await rig.director.timerDue == minute)
    await rig.director.controllerSleeps(true)
    #expect(await rig.director.timerDue == nil)
    await rig.director.controllerSleeps(false)
    await rig.rest()
    #expect(await rig.director.timerDue == minute)
    try await rig.director.unplug("Virtual-1")
    #expect(await rig.director.timerDue == nil)
    try await rig.plug(320, 240)
    await rig.rest()
    #expect(await rig.director.timerDue == minute)
    rig.card.lose()
    await rig.wait { await rig.display("Virtual-1")?.state == "lost" }
    #expect(await rig.director.timerDue == nil)
  }

  @Test func `a message over a clock stops the clock, and its end starts it again`() async throws {
    let rig = try await clockRig()
    let message = try await rig.director.post(MessageRequest(text: "Above", wait: true))
    #expect(await rig.director.timerDue == nil)
    try await rig.director.withdraw(try #require(message.id))
    await rig.rest()
    #expect(await rig.director.timerDue == Self.noon + 30_000)
  }

  @Test func `a clock that ticks is painted, and is no news`() async throws {
    let rig = try await clockRig()
    let events = await rig.director.events()
    let frames = rig.card.journal.count
    rig.clock.now += 60_000
    _ = try await rig.director.post(MessageRequest(text: "Nobody sees it", tag: "nobody"))
    await rig.rest()
    #expect(rig.card.journal.count == frames + 1)
    _ = try await rig.show("End", on: "Virtual-1")
    var told: [String?] = []
    for await event in events where event.kind == .messageShown {
      told.append(event.detail)
      if event.detail == "End" { break }
    }
    #expect(told == ["End"])
  }

  @Test func `the timer comes, and the next minute is armed`() async throws {
    let rig = Rig(clock: HandClock(Self.noon + 29_990))
    await rig.start()
    try await rig.plug(320, 240)
    let clock = Scene(.clock(Clock(zone: "UTC"))).document
    _ = try await rig.director.open(OpenRequest(scene: clock, display: "Virtual-1", wait: true))
    rig.clock.now = Self.noon + 30_005
    await rig.waitWhile { director in director.timerDue != Self.noon + 90_000 }
  }

  @Test func `a message ends when its time comes`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(320, 240)
    let events = await rig.director.events()
    _ = try await rig.director.post(MessageRequest(text: "Soon over", seconds: 1, wait: true))
    #expect(await rig.director.timerDue == Self.noon + 1000)
    // A clock that is set is noticed as soon as anything happens.
    rig.clock.now = Self.noon + 3000
    _ = try await rig.director.post(MessageRequest(text: "Later", tag: "nobody"))
    for await event in events where event.kind == .messageEnded {
      #expect(event.detail == "Soon over")
      break
    }
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.message == "Hello")
    #expect(await rig.director.timerDue == nil)
  }

  @Test(arguments: [56 * 365 * 86_400_000, -86_400_000] as [Int64])
  func `a clock that is set neither ends a message nor lets it stay`(leap: Int64) async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(320, 240)
    _ = try await rig.director.post(MessageRequest(text: "Ten minutes", seconds: 600, wait: true))
    rig.clock.set(Self.noon + leap)
    await rig.director.momentCame()
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.message == "Ten minutes")
    #expect(await rig.director.timerDue == Self.noon + leap + 600_000)
    // What is kept says so, too.
    let other = Rig(clock: rig.clock, keeper: KeptRecords(rig.keeper.records))
    await other.start()
    #expect(await other.director.messages().first?.expires?.milliseconds == Self.noon + leap + 600_000)
    rig.clock.now += 600_000
    await rig.director.momentCame()
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.message == "Hello")
  }

  @Test func `a clock that is set back is seen as soon as anything happens`() async throws {
    let rig = try await clockRig()
    rig.clock.now = Self.noon - 3_600_000
    _ = try await rig.director.post(MessageRequest(text: "Something", tag: "nobody"))
    await rig.rest()
    #expect(await rig.director.timerDue == Self.noon - 3_570_000)
    rig.clock.now = Self.noon + 86_400_000
    await rig.director.controllerSleeps(true)
    await rig.director.controllerSleeps(false)
    await rig.rest()
    #expect(await rig.director.timerDue == Self.noon + 86_430_000)
  }

  // MARK: Pages

  private func pageRig() async throws -> (rig: Rig, session: Int) {
    let start = Rig.now()
    let rig = Rig(now: { start })
    await rig.start()
    try await rig.plug(320, 240)
    let text = Scene(.markdown(MarkdownText("# Long", secondsPerPage: 10))).document
    let report = try await rig.director.open(OpenRequest(scene: text, display: "Virtual-1", wait: true))
    await rig.director.setPages(5, on: "Virtual-1")
    return (rig, try #require(report.id))
  }

  private func wait(_ seconds: Int64, _ rig: Rig) { rig.clock.now += seconds * 1000 }

  @Test func `pages turn from when the text came, and from where it is sent to`() async throws {
    let (rig, session) = try await pageRig()
    #expect(await rig.director.turnsSince("Virtual-1") == Self.noon)
    #expect(await rig.director.page(on: "Virtual-1") == .start)
    wait(25, rig)
    #expect(await rig.director.page(on: "Virtual-1") == .share(0.5))
    let report = try await rig.director.scroll(session, .page(1))
    #expect(report.scroll == .position(0.75))
    #expect(await rig.director.page(on: "Virtual-1") == .share(0.75))
  }

  @Test func `a text that is sent where it was sent before is there again`() async throws {
    let (rig, session) = try await pageRig()
    wait(25, rig)
    _ = try await rig.director.scroll(session, .position(0))
    #expect(await rig.director.page(on: "Virtual-1") == .start)
  }

  @Test func `pages turn on as they did when the clock is set`() async throws {
    let (rig, _) = try await pageRig()
    // Were it the time that passed, it would be the third page.
    rig.clock.now += 86_425_000
    _ = try await rig.director.post(MessageRequest(text: "Something", tag: "nobody"))
    #expect(await rig.director.page(on: "Virtual-1") == .start)
  }

  @Test func `the pages of a text that is covered are not those of what covers it`() async throws {
    let (rig, session) = try await pageRig()
    _ = try await rig.director.scroll(session, .position(0.5))
    _ = try await rig.director.post(MessageRequest(text: "Above", priority: 1, wait: true))
    await #expect(throws: ControlError.self) { try await rig.director.scroll(session, .page(1)) }
    #expect(await rig.director.sessions().map(\.scroll) == [.position(0.5)])
  }
}
