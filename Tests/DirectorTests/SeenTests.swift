import Calendars
import Control
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// What is said to be on a display is what its last flip brought, not what was asked for.
struct SeenTests {
  /// Time passes for people and for flips alike, by hand.
  private func rig(displays: Int = 1) async throws -> Rig {
    let clock = HandClock()
    let rig = Rig(clock: clock, now: { UInt64(clamping: clock.now) * 1_000_000 })
    await rig.start()
    for _ in 0..<displays { try await rig.plug(320, 240) }
    await rig.rest()
    return rig
  }

  private func open(_ scene: Scene, on display: String, _ rig: Rig) async throws {
    _ = try await rig.director.open(OpenRequest(scene: scene.document, display: display, wait: true))
    await rig.rest()
  }

  private func wait(_ seconds: Int64, _ rig: Rig) async {
    rig.clock.now += seconds * 1000
    await rig.director.momentCame()
    await rig.rest()
  }

  /// What the history has of a display, in order.
  private func history(_ rig: Rig, _ display: String = "Virtual-1") -> [String] {
    rig.keeper.steps.compactMap { step in
      if case .began(let entry) = step, entry.display == display { "\(entry.kind): \(entry.what)" } else { nil }
    }
  }

  /// A countdown that ends ten seconds after a rig's beginning.
  private func countdown(then: Scene) throws -> Scene {
    Scene(.countdown(Countdown(to: try DateTime("2026-11-21T12:00:40Z"), title: "Doors open", then: then)))
  }

  @Test func `after a countdown what comes then is what displays, events and the history name`() async throws {
    let rig = try await rig()
    try await open(try countdown(then: .banner("Come in")), on: "Virtual-1", rig)
    #expect(await rig.display("Virtual-1")?.message == "Doors open")
    let events = await rig.director.events()
    await wait(10, rig)
    #expect(await rig.display("Virtual-1")?.message == "Come in")
    #expect(await rig.director.sessions().map(\.summary) == ["Come in"])
    #expect(history(rig) == ["banner: Hello", "countdown: Doors open", "banner: Come in"])
    for await event in events where event.kind == .messageShown {
      #expect(event.detail == "Come in")
      break
    }
  }

  @Test func `a mirror is named after what is seen in it, also when that changes by itself`() async throws {
    let rig = try await rig(displays: 2)
    try await open(Scene(.mirror(of: "Virtual-1")), on: "Virtual-2", rig)
    #expect(await rig.display("Virtual-2")?.message == "mirror of Virtual-1: Hello")
    try await open(try countdown(then: .banner("Come in")), on: "Virtual-1", rig)
    #expect(await rig.display("Virtual-2")?.message == "mirror of Virtual-1: Doors open")
    await wait(10, rig)
    #expect(await rig.display("Virtual-2")?.message == "mirror of Virtual-1: Come in")
    #expect(
      history(rig, "Virtual-2") == [
        "banner: Hello", "mirror: mirror of Virtual-1: Hello", "mirror: mirror of Virtual-1: Doors open",
        "mirror: mirror of Virtual-1: Come in",
      ])
    try await rig.director.unplug("Virtual-1")
    await rig.rest()
    #expect(await rig.display("Virtual-2")?.message == "There is no display Virtual-1 to mirror.")
  }

  @Test func `the page of a text is the one that was flipped, and a text that turns is one line of the history`()
    async throws
  {
    let rig = try await rig()
    let text = "# Long\n\n" + String(repeating: "A paragraph of this text.\n\n", count: 60)
    try await open(Scene(.markdown(MarkdownText(text, secondsPerPage: 10))), on: "Virtual-1", rig)
    let first = try #require(await rig.display("Virtual-1")?.message)
    let pages = try #require(first.split(separator: " ").last.flatMap { Int($0) })
    #expect(first == "Long, page 1 of \(pages)" && pages > 2)
    await wait(10, rig)
    #expect(await rig.display("Virtual-1")?.message == "Long, page 2 of \(pages)")
    #expect(await rig.director.sessions().map(\.scroll) == [ScrollPlace(.page(1, of: pages))])
    rig.card.holdFlips()
    let session = try #require(await rig.director.sessions().first?.id)
    #expect(try await rig.director.scroll(session, .page(1)).scroll == ScrollPlace(.page(2, of: pages)))
    #expect(await rig.display("Virtual-1")?.message == "Long, page 2 of \(pages)", "the flip has not come")
    rig.card.releaseFlips()
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.message == "Long, page 3 of \(pages)")
    #expect(history(rig) == ["banner: Hello", "markdown: Long"])
  }
}
