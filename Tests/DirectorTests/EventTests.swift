import Control
import JSON
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// Events are numbered, the last ones are remembered, and whoever comes back hears what it missed.
struct EventTests {
  private func hub(_ count: Int, epoch: String = "a1") -> EventHub {
    let hub = EventHub(epoch: epoch)
    for number in 1...count { hub.send(.messageShown, "DP-1", time: UInt64(number), detail: "\(number)") }
    return hub
  }

  /// The numbers of what a feed has when the hub ends.
  private func numbers(_ feed: EventFeed, of hub: EventHub) async -> [UInt64] {
    hub.finish()
    var numbers: [UInt64] = []
    for await event in feed.events { numbers.append(event.id) }
    return numbers
  }

  @Test func `Who comes back hears all that it missed, and then what is new`() async {
    let hub = hub(10)
    let feed = hub.listen(after: EventPlace(epoch: "a1", id: 7))
    hub.send(.dark, "DP-1", time: 11, detail: nil)
    #expect(!feed.hasGap)
    #expect(feed.epoch == "a1")
    #expect(await numbers(feed, of: hub) == [8, 9, 10, 11])
  }

  @Test func `Who missed nothing, and who is new, hears only what is new`() async {
    let hub = hub(10)
    let place = hub.listen(after: EventPlace(epoch: "a1", id: 10))
    let new = hub.listen()
    hub.send(.dark, "DP-1", time: 11, detail: nil)
    #expect(!place.hasGap)
    #expect(!new.hasGap)
    #expect(await numbers(place, of: hub) == [11])
    #expect(await numbers(new, of: hub) == [11])
  }

  @Test func `As many events are remembered as there is room for; before them the feed is torn`() async {
    let count = EventHub.capacity + 100
    let hub = hub(count)
    let whole = hub.listen(after: EventPlace(epoch: "a1", id: 100))
    #expect(!whole.hasGap)
    let torn = hub.listen(after: EventPlace(epoch: "a1", id: 99))
    #expect(torn.hasGap)
    let remembered = (101...UInt64(count)).map(\.self)
    #expect(await numbers(whole, of: hub) == remembered)
    #expect(await numbers(torn, of: hub) == remembered)
  }

  @Test func `A place of another life is torn, and all that is remembered comes after it`() async {
    let hub = hub(3)
    let feed = hub.listen(after: EventPlace(epoch: "b2", id: 3))
    #expect(feed.hasGap)
    #expect(await numbers(feed, of: hub) == [1, 2, 3])
  }

  @Test(arguments: [4, UInt64.max]) func `A place in the future is torn, and nothing comes after it`(
    _ id: UInt64
  ) async {
    let hub = hub(3)
    let feed = hub.listen(after: EventPlace(epoch: "a1", id: id))
    #expect(feed.hasGap)
    #expect(await numbers(feed, of: hub) == [])
  }

  @Test func `The beginning is a place, too, also before the first event`() async {
    let hub = EventHub(epoch: "a1")
    let feed = hub.listen(after: EventPlace(epoch: "a1", id: 0))
    #expect(!feed.hasGap)
    hub.send(.dark, "DP-1", time: 1, detail: nil)
    #expect(await numbers(feed, of: hub) == [1])
  }

  @Test func `A listener that never reads loses the oldest events, and no other does`() async {
    let hub = EventHub(epoch: "a1")
    let (idle, busy) = (hub.listen(), hub.listen())
    var reader = busy.events.makeAsyncIterator()
    for number in 1...1000 as ClosedRange<UInt64> {
      hub.send(.messageShown, "DP-1", time: number, detail: nil)
      #expect(await reader.next()?.id == number)
    }
    #expect(await numbers(idle, of: hub) == (745...1000).map(\.self))
  }

  @Test func `A director of another life has another epoch, and tells places of it apart`() async throws {
    let (first, second) = (Rig(), Rig())
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

  @Test func `What is remembered of events about texts of a megabyte is less than a megabyte`() async throws {
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

  @Test func `A message that is presented is named by its ID, and its text is at the message`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    let events = await rig.director.events()
    let text = String(repeating: "word ", count: 5000)
    let id = try #require(try await rig.director.post(MessageRequest(text: text, wait: true)).id)
    for await event in events where event.kind == .messageShown && event.message != nil {
      #expect(event.message == id && event.session == nil && event.detail?.count == 80)
      break
    }
    #expect(await rig.director.messages().map(\.text) == [text])
  }

  @Test func `An event has the wall time of its moment, also after the clock was set`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    let events = await rig.director.events()
    let begun = rig.clock.now
    rig.clock.set(begun + 3_600_000)
    _ = try await rig.director.post(MessageRequest(text: "a", wait: true))
    for await event in events where event.kind == .messageShown && event.message != nil {
      let date = try #require(event.date)
      #expect((begun + 3_540_000...begun + 3_600_000).contains(date.milliseconds))
      break
    }
  }

  @Test func `A session that is scrolled has changed`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    let request = OpenRequest(scene: ["kind": "markdown", "text": "# One"], display: "Virtual-1")
    let id = try #require(try await rig.director.open(request).id)
    let events = await rig.director.events()
    _ = try await rig.director.scroll(id, .position(0.5))
    for await event in events where event.kind == .sessionChanged {
      #expect(event.display == "Virtual-1")
      #expect(event.session == id && event.detail == "One")
      break
    }
  }
}
