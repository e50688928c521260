import Configuration
import Control
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// Scenes that change with time: clocks, pages and messages that end. No timer is armed without need.
struct TimeTests {
  /// 2026-11-21 12:00:30 UTC, 30 s before the next minute.
  private static let noon: Int64 = 1_795_262_430_000

  private func clockHarness() async throws -> Harness {
    let harness = Harness()
    await harness.start()
    try await harness.plug(320, 240)
    let clock = Scene(.clock(Clock(zone: "UTC"))).document
    _ = try await harness.director.open(OpenRequest(scene: clock, display: "Virtual-1", wait: true))
    await harness.rest()
    return harness
  }

  @Test func `a banner arms no timer`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(320, 240)
    _ = try await harness.show("Still")
    #expect(await harness.director.timerDue == nil)
  }

  @Test func `the burn-in shift moves a banner once a minute, and not while its display sleeps`() async throws {
    var settings = Settings(message: "Hello")
    settings.style.burnInShift = 4
    let harness = Harness(settings)
    await harness.start()
    try await harness.plug(320, 240)
    await harness.rest()
    #expect(await harness.director.timerDue == Self.noon + 30_000)
    let before = try await harness.director.screenshot("Virtual-1", ScreenshotRequest())
    let flips = harness.card.journal.count
    harness.clock.now = Self.noon + 30_000
    await harness.director.momentCame()
    await harness.rest()
    #expect(try await harness.director.screenshot("Virtual-1", ScreenshotRequest()) != before)
    #expect(harness.card.journal.count == flips + 1)
    #expect(await harness.director.timerDue == Self.noon + 90_000)
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    #expect(await harness.director.timerDue == nil)
  }

  @Test func `a clock arms a timer for the next minute, and none while its display sleeps or is gone`() async throws {
    let harness = try await clockHarness()
    let minute = Self.noon + 30_000
    #expect(await harness.director.timerDue == minute)
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    #expect(await harness.director.timerDue == nil)
    _ = try await harness.director.setAsleep(SleepRequest(asleep: false))
    #expect(await harness.director.timerDue == minute)
    await harness.director.controllerSleeps(true)
    #expect(await harness.director.timerDue == nil)
    await harness.director.controllerSleeps(false)
    await harness.rest()
    #expect(await harness.director.timerDue == minute)
    try await harness.director.unplug("Virtual-1")
    #expect(await harness.director.timerDue == nil)
    try await harness.plug(320, 240)
    await harness.rest()
    #expect(await harness.director.timerDue == minute)
    harness.card.lose()
    await harness.wait { await harness.display("Virtual-1")?.state == .lost }
    #expect(await harness.director.timerDue == nil)
  }

  @Test func `a message over a clock disarms the timer, and its end arms it again`() async throws {
    let harness = try await clockHarness()
    let message = try await harness.director.post(MessageRequest(text: "Above", wait: true))
    #expect(await harness.director.timerDue == nil)
    try await harness.director.withdraw(try #require(message.id))
    await harness.rest()
    #expect(await harness.director.timerDue == Self.noon + 30_000)
  }

  @Test func `a tick of a clock is painted, and causes no event`() async throws {
    let harness = try await clockHarness()
    let events = await harness.director.events()
    let frames = harness.card.journal.count
    harness.clock.now += 60_000
    _ = try await harness.director.post(MessageRequest(text: "Unseen", tag: "none"))
    await harness.rest()
    #expect(harness.card.journal.count == frames + 1)
    _ = try await harness.show("End", on: "Virtual-1")
    var details: [String?] = []
    for await event in events where event.kind == .messageShown {
      details.append(event.detail)
      if event.detail == "End" { break }
    }
    #expect(details == ["End"])
  }

  @Test func `the timer fires, and is armed for the next minute`() async throws {
    let harness = Harness(clock: ManualClock(Self.noon + 29_990))
    await harness.start()
    try await harness.plug(320, 240)
    let clock = Scene(.clock(Clock(zone: "UTC"))).document
    _ = try await harness.director.open(OpenRequest(scene: clock, display: "Virtual-1", wait: true))
    harness.clock.now = Self.noon + 30_005
    await harness.waitWhile { director in director.timerDue != Self.noon + 90_000 }
  }

  @Test func `a message ends when its time limit is reached`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(320, 240)
    let events = await harness.director.events()
    _ = try await harness.director.post(MessageRequest(text: "Soon over", seconds: 1, wait: true))
    #expect(await harness.director.timerDue == Self.noon + 1000)
    // The director notices a clock that was set at the next request.
    harness.clock.now = Self.noon + 3000
    _ = try await harness.director.post(MessageRequest(text: "Later", tag: "none"))
    for await event in events where event.kind == .messageEnded {
      #expect(event.detail == "Soon over")
      break
    }
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.message == "Hello")
    #expect(await harness.director.timerDue == nil)
  }

  @Test(arguments: [56 * 365 * 86_400_000, -86_400_000] as [Int64])
  func `setting the clock neither ends a message with a time limit nor extends it`(leap: Int64) async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(320, 240)
    _ = try await harness.director.post(MessageRequest(text: "Ten minutes", seconds: 600, wait: true))
    harness.clock.set(Self.noon + leap)
    await harness.director.momentCame()
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.message == "Ten minutes")
    #expect(await harness.director.timerDue == Self.noon + leap + 600_000)
    // The stored record has the same end.
    let other = Harness(clock: harness.clock, persistence: KeptRecords(harness.persistence.records))
    await other.start()
    #expect(await other.director.messages().first?.expires?.milliseconds == Self.noon + leap + 600_000)
    harness.clock.now += 600_000
    await harness.director.momentCame()
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.message == "Hello")
  }

  @Test func `a clock that was set back or forward is noticed at the next request or suspend`() async throws {
    let harness = try await clockHarness()
    harness.clock.now = Self.noon - 3_600_000
    _ = try await harness.director.post(MessageRequest(text: "Something", tag: "none"))
    await harness.rest()
    #expect(await harness.director.timerDue == Self.noon - 3_570_000)
    harness.clock.now = Self.noon + 86_400_000
    await harness.director.controllerSleeps(true)
    await harness.director.controllerSleeps(false)
    await harness.rest()
    #expect(await harness.director.timerDue == Self.noon + 86_430_000)
  }

  // MARK: Pages

  private func pageHarness() async throws -> (harness: Harness, session: Int) {
    let start = Harness.now()
    let harness = Harness(now: { start })
    await harness.start()
    try await harness.plug(320, 240)
    let text = Scene(.markdown(MarkdownText("# Long", secondsPerPage: 10))).document
    let report = try await harness.director.open(OpenRequest(scene: text, display: "Virtual-1", wait: true))
    await harness.director.setPages(5, on: "Virtual-1")
    return (harness, try #require(report.id))
  }

  private func wait(_ seconds: Int64, _ harness: Harness) { harness.clock.now += seconds * 1000 }

  @Test func `pages turn from the start of their scene, and from the page that a client selects`() async throws {
    let (harness, session) = try await pageHarness()
    #expect(await harness.director.pagesSince("Virtual-1") == Self.noon)
    #expect(await harness.director.page(on: "Virtual-1") == .start)
    wait(25, harness)
    #expect(await harness.director.page(on: "Virtual-1") == .share(0.5))
    let report = try await harness.director.scroll(session, .page(1))
    #expect(report.scroll == .position(0.75))
    #expect(await harness.director.page(on: "Virtual-1") == .share(0.75))
  }

  @Test func `a scroll to the stored position returns there after the pages have turned`() async throws {
    let (harness, session) = try await pageHarness()
    wait(25, harness)
    _ = try await harness.director.scroll(session, .position(0))
    #expect(await harness.director.page(on: "Virtual-1") == .start)
  }

  @Test func `setting the clock turns no page`() async throws {
    let (harness, _) = try await pageHarness()
    // If this time had passed, the display would show the third page.
    harness.clock.now += 86_425_000
    _ = try await harness.director.post(MessageRequest(text: "Something", tag: "none"))
    #expect(await harness.director.page(on: "Virtual-1") == .start)
  }

  @Test func `a covered text cannot be scrolled by pages, and keeps its position`() async throws {
    let (harness, session) = try await pageHarness()
    _ = try await harness.director.scroll(session, .position(0.5))
    _ = try await harness.director.post(MessageRequest(text: "Above", priority: 1, wait: true))
    await #expect(throws: ControlError.self) { try await harness.director.scroll(session, .page(1)) }
    #expect(await harness.director.sessions().map(\.scroll) == [.position(0.5)])
  }
}
