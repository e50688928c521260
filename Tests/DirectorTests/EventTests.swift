import Control
import JSON
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// Numbered events. The last ones are kept, and a client that resumes receives those that it missed.
struct EventTests {
  private func hub(_ count: Int, epoch: String = "a1") -> EventHub {
    let hub = EventHub(epoch: epoch)
    for number in 1...count { hub.send(.messageShown, "DP-1", time: UInt64(number), detail: "\(number)") }
    return hub
  }

  /// Returns the numbers of the events that a feed has when the hub ends.
  private func numbers(_ feed: EventFeed, of hub: EventHub) async -> [UInt64] {
    hub.finish()
    var numbers: [UInt64] = []
    for await event in feed.events { numbers.append(event.id) }
    return numbers
  }

  @Test func `a client that resumes receives the events that it missed, and then new ones`() async {
    let hub = hub(10)
    let feed = hub.listen(after: EventPlace(epoch: "a1", id: 7))
    hub.send(.dark, "DP-1", time: 11, detail: nil)
    #expect(!feed.hasGap)
    #expect(feed.epoch == "a1")
    #expect(await numbers(feed, of: hub) == [8, 9, 10, 11])
  }

  @Test func `a client that missed nothing and a new client receive only new events`() async {
    let hub = hub(10)
    let place = hub.listen(after: EventPlace(epoch: "a1", id: 10))
    let new = hub.listen()
    hub.send(.dark, "DP-1", time: 11, detail: nil)
    #expect(!place.hasGap)
    #expect(!new.hasGap)
    #expect(await numbers(place, of: hub) == [11])
    #expect(await numbers(new, of: hub) == [11])
  }

  @Test func `events are kept up to the capacity, and a feed that starts before them has a gap`() async {
    let count = EventHub.capacity + 100
    let hub = hub(count)
    let whole = hub.listen(after: EventPlace(epoch: "a1", id: 100))
    #expect(!whole.hasGap)
    let late = hub.listen(after: EventPlace(epoch: "a1", id: 99))
    #expect(late.hasGap)
    let kept = (101...UInt64(count)).map(\.self)
    #expect(await numbers(whole, of: hub) == kept)
    #expect(await numbers(late, of: hub) == kept)
  }

  @Test func `a place of another epoch has a gap, and all kept events follow it`() async {
    let hub = hub(3)
    let feed = hub.listen(after: EventPlace(epoch: "b2", id: 3))
    #expect(feed.hasGap)
    #expect(await numbers(feed, of: hub) == [1, 2, 3])
  }

  @Test(arguments: [4, UInt64.max]) func `a place in the future has a gap, and no kept event follows it`(
    _ id: UInt64
  ) async {
    let hub = hub(3)
    let feed = hub.listen(after: EventPlace(epoch: "a1", id: id))
    #expect(feed.hasGap)
    #expect(await numbers(feed, of: hub) == [])
  }

  @Test func `a feed after place 0 has no gap before the first event`() async {
    let hub = EventHub(epoch: "a1")
    let feed = hub.listen(after: EventPlace(epoch: "a1", id: 0))
    #expect(!feed.hasGap)
    hub.send(.dark, "DP-1", time: 1, detail: nil)
    #expect(await numbers(feed, of: hub) == [1])
  }

  @Test func `a listener that does not read loses the oldest events, and another one loses none`() async {
    let hub = EventHub(epoch: "a1")
    let (idle, busy) = (hub.listen(), hub.listen())
    var reader = busy.events.makeAsyncIterator()
    for number in 1...1000 as ClosedRange<UInt64> {
      hub.send(.messageShown, "DP-1", time: number, detail: nil)
      #expect(await reader.next()?.id == number)
    }
    #expect(await numbers(idle, of: hub) == (745...1000).map(\.self))
  }

  @Test func `each director has its own epoch, so a place of another director has a gap`() async throws {
    let (first, second) = (Harness(), Harness())
    await first.start()
    await second.start()
    let feed = await first.director.events(after: nil)
    try await first.plug(640, 480)
    var reader = feed.events.makeAsyncIterator()
    let event = try #require(await reader.next())
    let place = EventPlace(epoch: feed.epoch, id: event.id)
    #expect(await first.director.events(after: place).hasGap == false)
    #expect(await second.director.events(after: place).hasGap)
  }

  @Test func `the kept events of texts of a megabyte take less than a megabyte`() async throws {
    let hub = EventHub(epoch: "a1")
    let text = String(repeating: "Long ", count: 200_000)
    for id in 1...EventHub.capacity {
      hub.send(.messageShown, "DP-1", time: 1, detail: text, about: .message(id))
    }
    hub.finish()
    var bytes = 0
    var ids: [Int?] = []
    for await event in hub.listen(after: EventPlace(epoch: "a1", id: 0)).events {
      bytes += try JSON.encode(event).count
      ids.append(event.message)
    }
    #expect(ids == Array(1...EventHub.capacity))
    #expect(bytes < 1 << 20)
  }

  @Test(
    "The detail of an event is one line, cut between two Characters",
    arguments: [
      ("One", "One"), ("One\r\ntwo\u{1b}[31m\u{85}three", "One two [31m three"),
      (String(repeating: "a", count: 80), String(repeating: "a", count: 80)),
      (String(repeating: "a", count: 81), String(repeating: "a", count: 79) + "…"),
      (String(repeating: "👩‍👩‍👧", count: 80), String(repeating: "👩‍👩‍👧", count: 35) + "…"),
      ("a" + String(repeating: "\u{301}", count: 100_000) + "b", "…"),
    ])
  func detail(text: String, detail: String) {
    #expect(ControlEvent(id: 1, kind: .dark, display: "", time: 1, detail: text).detail == detail)
  }

  @Test func `the event of a presented message has its ID and a shortened text`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    let events = await harness.director.events()
    let text = String(repeating: "word ", count: 5000)
    let id = try #require(try await harness.director.post(MessageRequest(text: text, wait: true)).id)
    for await event in events where event.kind == .messageShown && event.message != nil {
      #expect(event.message == id && event.session == nil && event.detail?.count == 80)
      break
    }
    #expect(await harness.director.messages().map(\.text) == [text])
  }

  @Test func `an event after the clock was set has the new wall time`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    let events = await harness.director.events()
    let begun = harness.clock.now
    harness.clock.set(begun + 3_600_000)
    _ = try await harness.director.post(MessageRequest(text: "a", wait: true))
    for await event in events where event.kind == .messageShown && event.message != nil {
      let date = try #require(event.date)
      #expect((begun + 3_540_000...begun + 3_600_000).contains(date.milliseconds))
      break
    }
  }

  @Test func `scrolling a session causes an event`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    let request = OpenRequest(scene: ["kind": "markdown", "text": "# One"], display: "Virtual-1")
    let id = try #require(try await harness.director.open(request).id)
    let events = await harness.director.events()
    _ = try await harness.director.scroll(id, .position(0.5))
    for await event in events where event.kind == .sessionChanged {
      #expect(event.display == "Virtual-1")
      #expect(event.session == id && event.detail == "One")
      break
    }
  }
}
