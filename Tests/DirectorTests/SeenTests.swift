import Calendars
import Control
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// The scene that reports name: the one that the last flip presented, not the requested one.
struct SeenTests {
  /// Returns a harness whose wall clock and flips have one manual clock.
  private func harness(displays: Int = 1) async throws -> Harness {
    let clock = ManualClock()
    let harness = Harness(clock: clock, now: { UInt64(clamping: clock.now) * 1_000_000 })
    await harness.start()
    for _ in 0..<displays { try await harness.plug(320, 240) }
    await harness.rest()
    return harness
  }

  private func open(_ scene: Scene, on display: String, _ harness: Harness) async throws {
    _ = try await harness.director.open(OpenRequest(scene: scene.document, display: display, wait: true))
    await harness.rest()
  }

  private func wait(_ seconds: Int64, _ harness: Harness) async {
    harness.clock.now += seconds * 1000
    await harness.director.momentCame()
    await harness.rest()
  }

  /// Returns the history of a display, in order.
  private func history(_ harness: Harness, _ display: String = "Virtual-1") -> [String] {
    harness.persistence.steps.compactMap { step in
      if case .began(let entry) = step, entry.display == display { "\(entry.kind): \(entry.what)" } else { nil }
    }
  }

  /// Returns a countdown that ends ten seconds after the default time of the clock.
  private func countdown(then: Scene) throws -> Scene {
    Scene(.countdown(Countdown(to: try DateTime("2026-11-21T12:00:40Z"), title: "Doors open", then: then)))
  }

  @Test func `after a countdown, displays, events and the history name the scene that follows it`() async throws {
    let harness = try await harness()
    try await open(try countdown(then: .banner("Come in")), on: "Virtual-1", harness)
    #expect(await harness.display("Virtual-1")?.message == "Doors open")
    let events = await harness.director.events()
    await wait(10, harness)
    #expect(await harness.display("Virtual-1")?.message == "Come in")
    #expect(await harness.director.sessions().map(\.summary) == ["Come in"])
    #expect(history(harness) == ["banner: Hello", "countdown: Doors open", "banner: Come in"])
    for await event in events where event.kind == .messageShown {
      #expect(event.detail == "Come in")
      break
    }
  }

  @Test func `a mirror is named after the scene that it shows, even when that changes by itself`() async throws {
    let harness = try await harness(displays: 2)
    try await open(Scene(.mirror(of: "Virtual-1")), on: "Virtual-2", harness)
    #expect(await harness.display("Virtual-2")?.message == "mirror of Virtual-1: Hello")
    try await open(try countdown(then: .banner("Come in")), on: "Virtual-1", harness)
    #expect(await harness.display("Virtual-2")?.message == "mirror of Virtual-1: Doors open")
    await wait(10, harness)
    #expect(await harness.display("Virtual-2")?.message == "mirror of Virtual-1: Come in")
    #expect(
      history(harness, "Virtual-2") == [
        "banner: Hello", "mirror: mirror of Virtual-1: Hello", "mirror: mirror of Virtual-1: Doors open",
        "mirror: mirror of Virtual-1: Come in",
      ])
    try await harness.director.unplug("Virtual-1")
    await harness.rest()
    #expect(await harness.display("Virtual-2")?.message == "There is no display Virtual-1 to mirror.")
  }

  @Test func `the reported page is the presented one, and a paged text is one entry of the history`() async throws {
    let harness = try await harness()
    // Pages that differ: the next page has no flip of its own if it equals the last one.
    let text = "# Long\n\n" + (1...60).map { "Paragraph \($0) of this text." }.joined(separator: "\n\n")
    try await open(Scene(.markdown(MarkdownText(text, secondsPerPage: 10))), on: "Virtual-1", harness)
    let first = try #require(await harness.display("Virtual-1")?.message)
    let pages = try #require(first.split(separator: " ").last.flatMap { Int($0) })
    #expect(first == "Long, page 1 of \(pages)" && pages > 2)
    await wait(10, harness)
    #expect(await harness.display("Virtual-1")?.message == "Long, page 2 of \(pages)")
    #expect(await harness.director.sessions().map(\.scroll) == [ScrollPlace(.page(1, of: pages))])
    harness.card.holdFlips()
    let session = try #require(await harness.director.sessions().first?.id)
    #expect(try await harness.director.scroll(session, .page(1)).scroll == ScrollPlace(.page(2, of: pages)))
    await harness.drain()
    #expect(await harness.display("Virtual-1")?.message == "Long, page 2 of \(pages)", "the flip has not arrived")
    harness.card.releaseFlips()
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.message == "Long, page 3 of \(pages)")
    #expect(history(harness) == ["banner: Hello", "markdown: Long"])
  }
}
