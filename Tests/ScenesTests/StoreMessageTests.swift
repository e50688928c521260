import Scenes
import Testing

struct StoreMessageTests {
  private let blank = Scene(.blank)

  private var store: SessionModel {
    var store = SessionModel()
    store.attach(
      [
        Arrival(display: "DP-1", monitor: "A", place: "p1", tags: ["lobby"]),
        Arrival(display: "eDP-1", monitor: "I", place: "p2", role: "internal"),
      ], at: 0)
    return store
  }

  private func sources(_ store: SessionModel) -> [Shown.Source] {
    ["DP-1", "eDP-1", "DP-9"].map { store.shown(on: $0, otherwise: blank).source }
  }

  @Test func `A message reaches all displays, a role, a display or a tag`() throws {
    var store = store
    let session = store.open(.banner("Menu"), tag: "menu", on: "eDP-1", at: 1)
    let menu = Shown.Source.session(session.id)
    for (target, isSeen) in [
      (Message.Target.all, [true, true, true]), (.role("internal"), [false, true, false]),
      (.role("external"), [true, false, false]), (.display("DP-9"), [false, false, true]),
      (.tag("lobby"), [true, false, false]), (.tag("menu"), [false, true, false]), (.tag("x"), [false, false, false]),
    ] {
      let message = try store.post(.banner("News"), to: target, at: 2)
      let expected = zip(isSeen, [.fallback, menu, .fallback]).map { $0 ? .message(message.id) : $1 }
      #expect(sources(store) == expected, "\(target)")
      try store.withdraw(message.id)
      #expect(sources(store) == [.fallback, menu, .fallback])
    }
  }

  @Test func `The highest priority is shown, then the newest message or session`() throws {
    var store = store
    let high = try store.post(.banner("high"), priority: 5, at: 1).id
    let low = try store.post(.banner("low"), priority: -5, at: 2).id
    let plain = try store.post(.banner("plain"), at: 3).id
    let session = store.open(.banner("session"), on: "DP-1", at: 4).id
    #expect(store.messages.map(\.id) == [high, plain, low])
    var seen: [Shown.Source] = []
    for message in [high, plain] {
      seen.append(store.shown(on: "DP-1", otherwise: blank).source)
      try store.withdraw(message)
    }
    seen.append(store.shown(on: "DP-1", otherwise: blank).source)
    try store.close(session)
    seen.append(store.shown(on: "DP-1", otherwise: blank).source)
    #expect(seen == [.message(high), .session(session), .session(session), .message(low)])
  }

  @Test func `The newest message or session is shown even after the clock was set back`() throws {
    var store = store
    store.open(.banner("session"), on: "DP-1", at: 1_000_000)
    let message = try store.post(.banner("message"), at: 5)
    #expect(store.shown(on: "DP-1", otherwise: blank).source == .message(message.id))
    #expect(message.created == 5 && message.changed == 1_000_001)
    let session = store.open(.banner("session"), on: "DP-1", at: 6)
    #expect(store.shown(on: "DP-1", otherwise: blank).source == .session(session.id))
  }

  @Test func `A name has one message, which a new post replaces in place`() throws {
    var store = store
    let first = try store.post(.banner("1"), name: "show", expires: 50, needsAcknowledgement: true, at: 1)
    let other = try store.post(.banner("other"), at: 2)
    let second = try store.post(.banner("2"), to: .display("DP-1"), name: "show", at: 3)
    #expect(second.id == first.id && second.created == 1 && second.changed == 3)
    #expect(second.expires == nil && !second.needsAcknowledgement && store.messages.count == 2)
    #expect(sources(store) == [.message(second.id), .message(other.id), .message(other.id)])
  }

  @Test func `A message ends when it expires or is acknowledged`() throws {
    var store = store
    let brief = try store.post(.banner("brief"), expires: 100, at: 0)
    let waiting = try store.post(.banner("waiting"), expires: 200, needsAcknowledgement: true, at: 0)
    #expect(store.nextExpiry == 100 && store.expire(at: 99).isEmpty)
    #expect(try store.acknowledge(brief.id, at: 50).acknowledged == 50)
    #expect(store.messages.count == 2)
    #expect(store.expire(at: 100).map(\.id) == [brief.id])
    #expect(try store.acknowledge(waiting.id, at: 150).acknowledged == 150)
    #expect(store.messages.isEmpty && store.nextExpiry == nil)
  }

  @Test(arguments: [
    (Message.Target.all, "all"), (.role("internal"), "role:internal"), (.display("a:b"), "display:a:b"),
    (.tag(""), "tag:"),
  ])
  func `A target is written and parsed as text`(_ target: Message.Target, _ words: String) {
    #expect(target.description == words && Message.Target(words) == target)
    for wrong in ["", "all:", "role", "x:y", "ALL"] { #expect(Message.Target(wrong) == nil) }
  }
}
