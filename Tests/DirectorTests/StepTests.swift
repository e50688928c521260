import Configuration
import Control
import Displays
import Geometry
import Scenes
import Synchronization
import Testing
import VirtualDisplays

@testable import Director

/// What whoever watches is told, and what the history notes.
struct StepTests {
  private func rig(_ settings: Settings = Settings(message: "Hello")) async throws -> Rig {
    let rig = Rig(settings)
    await rig.start()
    try await rig.plug(320, 240)
    await rig.rest()
    return rig
  }

  /// What is told of sessions and messages while something is done.
  private func told(_ rig: Rig, by body: () async throws -> Void) async throws -> [String] {
    let events = await rig.director.events()
    try await body()
    _ = try await rig.director.post(MessageRequest(text: "end", tag: "nobody"))
    var lines: [String] = []
    let kinds: Set<ControlEvent.Kind> = [.sessionOpened, .sessionMoved, .sessionClosed, .messagePosted, .messageEnded]
    for await event in events where kinds.contains(event.kind) {
      if event.detail == "end" { break }
      let id = (event.session ?? event.message).map(String.init) ?? ""
      lines.append([event.kind.rawValue, event.display, id, event.detail ?? ""].joined(separator: " "))
    }
    return lines
  }

  private func open(_ text: String, _ rig: Rig, on display: String = "Virtual-1") async throws -> Int {
    let request = OpenRequest(scene: Scene.banner(text).document, display: display)
    return try #require(try await rig.director.open(request).id)
  }

  @Test func `sessions are told of, whoever ends them`() async throws {
    let rig = try await rig()
    try await rig.plug(320, 240)
    let lines = try await told(rig) {
      let one = try await open("One", rig)
      _ = try await open("One", rig)
      _ = try await open("Two", rig)
      let three = try await open("Three", rig, on: "Virtual-2")
      _ = try await rig.director.move(three, to: "Virtual-1")
      try await rig.director.close(three)
      #expect(one == 1 && three == 3)
    }
    #expect(
      lines == [
        "sessionOpened Virtual-1 1 One", "sessionOpened Virtual-1 1 One", "sessionClosed Virtual-1 1 One",
        "sessionOpened Virtual-1 2 Two", "sessionOpened Virtual-2 3 Three", "sessionClosed Virtual-1 2 Two",
        "sessionMoved Virtual-1 3 Three", "sessionClosed Virtual-1 3 Three",
      ])
  }

  @Test func `messages are told of before they are shown, and when they end`() async throws {
    let rig = try await rig()
    let lines = try await told(rig) {
      let asking = try await rig.director.post(MessageRequest(text: "Seen?", acknowledge: true, wait: true))
      try await rig.director.acknowledge(try #require(asking.id))
      _ = try await rig.show("All")
      _ = try await rig.director.removeMessage(nil)
    }
    #expect(
      lines == ["messagePosted  1 Seen?", "messageEnded  1 Seen?", "messagePosted  2 All", "messageEnded  2 All"])
    await rig.rest()
    let events = await rig.director.events()
    _ = try await rig.director.post(MessageRequest(text: "Order", wait: true))
    _ = try await rig.show("Last")
    var kinds: [String] = []
    for await event in events {
      kinds.append(event.kind.rawValue)
      if kinds.count == 2 { break }
    }
    #expect(kinds == ["messagePosted", "messageShown"])
  }

  // MARK: History

  /// `+Virtual-1 Hello` for what went on a glass, `-Virtual-1 Hello` for what went off.
  private func history(_ rig: Rig) -> [String] {
    var entries: [Int: PresentedEntry] = [:]
    return rig.keeper.steps.map { step in
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

  @Test func `the history has what was on the glass, by its display`() async throws {
    let rig = try await rig()
    let cover = try await rig.director.post(MessageRequest(text: "Above", wait: true))
    try await rig.director.withdraw(try #require(cover.id))
    await rig.rest()
    _ = try await rig.show("Hello")
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    _ = try await rig.show("Unseen")
    _ = try await rig.director.setAsleep(SleepRequest(asleep: false))
    try await rig.director.unplug("Virtual-1")
    try await rig.plug(320, 240)
    await rig.rest()
    await rig.director.close()
    #expect(
      history(rig) == [
        "+Virtual-1 Hello", "-Virtual-1 Hello", "+Virtual-1 Above", "-Virtual-1 Above", "+Virtual-1 Hello",
        "-Virtual-1 Hello", "+Virtual-1 Unseen", "-Virtual-1 Unseen", "+Virtual-1 Unseen", "-Virtual-1 Unseen",
      ])
  }

  @Test func `a flip that its driver stamps ahead of now is noted as of now`() async throws {
    // The clock goes on with each look at it, as it does.
    let time = Atomic<UInt64>(1_000_000_000)
    let rig = Rig(
      now: { time.wrappingAdd(1, ordering: .relaxed).newValue }, stampsAhead: 500_000)
    await rig.start()
    try await rig.plug(800, 600)
    await rig.rest()
    let began = rig.keeper.steps.compactMap { if case .began(let entry) = $0 { entry.began } else { nil } }
    #expect(began == [rig.clock.now])
    await rig.director.close()
  }

  @Test func `what was on a glass that cannot be lit any more is over`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(800, 600)
    await rig.rest()
    rig.card.inject(.failCommit(.refused))
    await rig.director.apply(Settings(policy: .explicit(Size(640, 480)), message: "Hello"))
    await rig.rest()
    // It is tried again, which can begin before this line.
    #expect(await ["dark", "lighting"].contains(rig.display("Virtual-1")?.state))
    #expect(history(rig) == ["+Virtual-1 Hello", "-Virtual-1 Hello"])
  }

  @Test func `nothing is lit again while the service ends, and the last steps are noted`() async throws {
    let rig = try await rig()
    try await rig.plug(320, 240)
    await rig.rest()
    rig.card.hint()
    async let other: Void = rig.director.close()
    rig.card.hint()
    await other
    #expect(history(rig).filter { $0.hasPrefix("+") }.count == 2)
    #expect(history(rig).filter { $0.hasPrefix("-") }.count == 2)
    #expect(rig.modesets.filter { $0.hasPrefix("light") }.count == 2)
    #expect(await rig.director.timerDue == nil)
  }
}
