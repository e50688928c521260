import Configuration
import Control
import Displays
import Geometry
import Scenes
import Synchronization
import Testing
import VirtualDisplays

@testable import Director

/// The events of sessions and messages, and the entries of the history.
struct StepTests {
  private func harness(_ settings: Settings = Settings(message: "Hello")) async throws -> Harness {
    let harness = Harness(settings)
    await harness.start()
    try await harness.plug(320, 240)
    await harness.rest()
    return harness
  }

  /// Returns the events of sessions and messages during an action.
  private func eventLines(_ harness: Harness, by body: () async throws -> Void) async throws -> [String] {
    let events = await harness.director.events()
    try await body()
    _ = try await harness.director.post(MessageRequest(text: "end", tag: "none"))
    var lines: [String] = []
    let kinds: Set<ControlEvent.Kind> = [
      .sessionOpened, .sessionMoved, .sessionClosed, .messagePosted, .messageAcknowledged, .messageEnded,
    ]
    for await event in events where kinds.contains(event.kind) {
      if event.detail == "end" { break }
      let id = (event.session ?? event.message).map(String.init) ?? ""
      lines.append([event.kind.rawValue, event.display, id, event.detail ?? ""].joined(separator: " "))
    }
    return lines
  }

  private func open(_ text: String, _ harness: Harness, on display: String = "Virtual-1") async throws -> Int {
    let request = OpenRequest(scene: Scene.banner(text).document, display: display)
    return try #require(try await harness.director.open(request).id)
  }

  @Test func `sessions cause events when they open, move, close and are replaced`() async throws {
    let harness = try await harness()
    try await harness.plug(320, 240)
    let lines = try await eventLines(harness) {
      let one = try await open("One", harness)
      _ = try await open("One", harness)
      _ = try await open("Two", harness)
      let three = try await open("Three", harness, on: "Virtual-2")
      _ = try await harness.director.move(three, to: "Virtual-1")
      try await harness.director.close(three)
      #expect(one == 1 && three == 3)
    }
    #expect(
      lines == [
        "sessionOpened Virtual-1 1 One", "sessionOpened Virtual-1 1 One", "sessionClosed Virtual-1 1 One",
        "sessionOpened Virtual-1 2 Two", "sessionOpened Virtual-2 3 Three", "sessionClosed Virtual-1 2 Two",
        "sessionMoved Virtual-1 3 Three", "sessionClosed Virtual-1 3 Three",
      ])
  }

  @Test func `messages cause events when they are posted, before they are shown, and when they end`() async throws {
    let harness = try await harness()
    let lines = try await eventLines(harness) {
      let asking = try await harness.director.post(MessageRequest(text: "Seen?", acknowledge: true, wait: true))
      try await harness.director.acknowledge(try #require(asking.id))
      _ = try await harness.show("All")
      _ = try await harness.director.removeMessage(nil)
    }
    #expect(
      lines == [
        "messagePosted  1 Seen?", "messageEnded  1 Seen?", "messageAcknowledged Virtual-1 1 Seen?",
        "messagePosted  2 All", "messageEnded  2 All",
      ])
    await harness.rest()
    let events = await harness.director.events()
    _ = try await harness.director.post(MessageRequest(text: "Order", wait: true))
    _ = try await harness.show("Last")
    var kinds: [String] = []
    for await event in events {
      kinds.append(event.kind.rawValue)
      if kinds.count == 2 { break }
    }
    #expect(kinds == ["messagePosted", "messageShown"])
  }

  // MARK: History

  /// Returns the changes of the history: `+Virtual-1 Hello` for a scene that was presented, `-Virtual-1 Hello` for its
  /// end.
  private func history(_ harness: Harness) -> [String] {
    var entries: [Int: PresentedEntry] = [:]
    return harness.persistence.steps.map { step in
      switch step {
      case .began(let entry):
        entries[entry.id] = entry
        return "+\(entry.display) \(entry.what)"
      case .ended(let id, let time):
        let entry = entries.removeValue(forKey: id)
        if let entry, time < entry.began { return "an end before its beginning" }
        return "-\(entry?.display ?? "twice") \(entry?.what ?? "")"
      }
    }
  }

  @Test func `the history has each scene that was on screen, with its display`() async throws {
    let harness = try await harness()
    let cover = try await harness.director.post(MessageRequest(text: "Above", wait: true))
    try await harness.director.withdraw(try #require(cover.id))
    await harness.rest()
    _ = try await harness.show("Hello")
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    _ = try await harness.show("Unseen")
    _ = try await harness.director.setAsleep(SleepRequest(asleep: false))
    try await harness.director.unplug("Virtual-1")
    try await harness.plug(320, 240)
    await harness.rest()
    await harness.director.close()
    #expect(
      history(harness) == [
        "+Virtual-1 Hello", "-Virtual-1 Hello", "+Virtual-1 Above", "-Virtual-1 Above", "+Virtual-1 Hello",
        "-Virtual-1 Hello", "+Virtual-1 Unseen", "-Virtual-1 Unseen", "+Virtual-1 Unseen", "-Virtual-1 Unseen",
      ])
  }

  @Test func `a flip with a timestamp in the future is recorded with the current time`() async throws {
    // The clock advances with each reading, as a real one does.
    let time = Atomic<UInt64>(1_000_000_000)
    let harness = Harness(
      now: { time.wrappingAdd(1, ordering: .relaxed).newValue }, stampsAhead: 500_000)
    await harness.start()
    try await harness.plug(800, 600)
    await harness.rest()
    let began = harness.persistence.steps.compactMap { if case .began(let entry) = $0 { entry.began } else { nil } }
    #expect(began == [harness.clock.now])
    await harness.director.close()
  }

  @Test func `the history entry of a display that can no longer be lit ends`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(800, 600)
    await harness.rest()
    harness.card.inject(.failCommit(.refused))
    await harness.director.apply(Settings(policy: .explicit(Size(640, 480)), message: "Hello"))
    await harness.rest()
    // A retry can begin before this line.
    #expect(await [.dark, .lighting].contains(harness.display("Virtual-1")?.state))
    #expect(history(harness) == ["+Virtual-1 Hello", "-Virtual-1 Hello"])
  }

  @Test func `a closing service enables no display again, and ends all history entries`() async throws {
    let harness = try await harness()
    try await harness.plug(320, 240)
    await harness.rest()
    harness.card.hint()
    async let other: Void = harness.director.close()
    harness.card.hint()
    await other
    #expect(history(harness).filter { $0.hasPrefix("+") }.count == 2)
    #expect(history(harness).filter { $0.hasPrefix("-") }.count == 2)
    #expect(harness.modesets.filter { $0.hasPrefix("light") }.count == 2)
    #expect(await harness.director.timerDue == nil)
  }
}
