import Testing

@testable import Scenes

/// Messages that cover sessions, and reopened sessions.
struct StoreClosedTests {
  private func scene(_ text: String) -> Scene { .banner(text) }

  private func store(_ displays: [String] = ["DP-1"]) -> SessionModel {
    var store = SessionModel()
    store.attach(displays.map { Arrival(display: $0, monitor: "M-\($0)", place: $0) }, at: 1)
    return store
  }

  /// Changes the session model in the same way as the director.
  private func change(_ store: inout SessionModel, at now: Int64, _ body: (inout SessionModel) throws -> Void) rethrows
  {
    let old = store
    try body(&store)
    store.keepClosed(from: old, at: now)
  }

  private func shown(_ store: SessionModel, on display: String = "DP-1") -> Scene {
    store.shown(on: display, otherwise: scene("nothing")).scene
  }

  @Test func `A message covers the session of its display, which is visible again after it`() throws {
    var store = store()
    let session = store.open(scene("open"), on: "DP-1", at: 2)
    let first = store.show(scene("a"), on: "DP-1", at: 3)
    let second = store.show(scene("b"), on: "DP-1", at: 4)
    #expect(first.id == second.id && store.messages.count == 1)
    #expect(second.name == nil && second.target == .display("DP-1"))
    #expect(shown(store) == scene("b") && store.session(on: "DP-1")?.id == session.id)
    try store.post(scene("all"), name: "show", at: 5)
    #expect(shown(store) == scene("all"))
    try store.withdraw(#require(store.message(named: "show")).id)
    #expect(shown(store) == scene("b"))
    try store.withdraw(second.id)
    #expect(shown(store) == scene("open"))
  }

  @Test func `A display's message follows its monitor and does not affect another display's message`() throws {
    var store = store(["DP-1", "DP-2"])
    let first = store.show(scene("a"), on: "DP-1", at: 2)
    store.show(scene("b"), on: "DP-2", at: 3)
    store.detach("DP-1", at: 4)
    store.detach("DP-2", at: 4)
    store.attach([Arrival(display: "DP-2", monitor: "M-DP-1", place: "DP-2")], at: 5)
    #expect(shown(store, on: "DP-2") == scene("a") && store.ownMessage(of: "DP-2")?.id == first.id)
    #expect(store.message(first.id)?.target == .display("DP-2"))
    store.attach([Arrival(display: "DP-1", monitor: "M-DP-2", place: "DP-1")], at: 6)
    #expect(shown(store, on: "DP-1") == scene("b"))
    #expect(store.show(scene("c"), on: "DP-2", at: 7).id == first.id)
    let records = SessionModel.changes(from: SessionModel(), to: store).compactMap { change -> Record? in
      if case .put(let record) = change { record } else { nil }
    }
    var again = SessionModel.restored(from: records, at: 8).store
    again.attach([Arrival(display: "DP-3", monitor: "M-DP-1", place: "DP-3")], at: 9)
    #expect(shown(again, on: "DP-3") == scene("c"))
  }

  @Test func `A message for a display without a monitor waits for the next monitor there`() throws {
    var store = SessionModel()
    let message = store.show(scene("a"), on: "DP-1", at: 2)
    #expect(store.ownMessage(of: "DP-1")?.id == message.id)
    store.attach([Arrival(display: "DP-1", monitor: "M", place: "DP-1")], at: 3)
    #expect(shown(store) == scene("a") && store.message(message.id)?.profile == store.profile(on: "DP-1")?.id)
    store.detach("DP-1", at: 4)
    try store.withdraw(message.id)
    #expect(store.profiles.isEmpty, "the monitor's profile is empty")
  }

  @Test func `A closed or replaced session reopens as it was`() throws {
    var store = store()
    let first = store.open(scene("a"), tag: "t", on: "DP-1", at: 2)
    _ = try store.scroll(first.id, to: .share(0.5))
    change(&store, at: 3) { $0.open(scene("b"), on: "DP-1", at: 3) }
    let second = try #require(store.session(on: "DP-1"))
    #expect(store.closedSessions.map(\.id) == [first.id] && store.closedSessions[0].display == "DP-1")
    try change(&store, at: 4) { try $0.reopen(first.id, at: 4) }
    let back = try #require(store.session(on: "DP-1"))
    #expect(back.id == first.id && back.scene == scene("a") && back.tag == "t" && back.place == .share(0.5))
    #expect(store.closedSessions.map(\.id) == [second.id], "the replaced session can be reopened as well")
    try change(&store, at: 5) { try $0.close(first.id) }
    #expect(store.closedSessions.map(\.id) == [first.id, second.id])
    #expect(throws: SessionModelError.noClosedSession(77)) { try store.reopen(77, at: 6) }
  }

  @Test func `A session reopens on its monitor at any port`() throws {
    var store = store()
    let session = store.open(scene("a"), on: "DP-1", at: 2)
    store.setAsleep(true, on: "DP-1")
    store.detach("DP-1", at: 3)
    try change(&store, at: 4) { try $0.close(session.id) }
    store.attach([Arrival(display: "DP-2", monitor: "M-DP-1", place: "DP-2")], at: 5)
    try change(&store, at: 6) { try $0.reopen(session.id, at: 6) }
    #expect(store.session(on: "DP-2")?.id == session.id)
  }

  @Test func `A session of a forgotten monitor reopens on its former display`() throws {
    var store = store()
    let session = store.open(scene("a"), on: "DP-1", at: 2)
    store.detach("DP-1", at: 3)
    try change(&store, at: 4) { try $0.close(session.id) }
    #expect(store.profiles.isEmpty)
    try change(&store, at: 6) { try $0.reopen(session.id, at: 6) }
    #expect(store.reservations.map(\.display) == ["DP-1"])
  }

  @Test func `The last ten closed sessions survive a restart, and no number is reused`() throws {
    var store = store()
    for number in 1...14 {
      change(&store, at: Int64(number)) { $0.open(scene("\(number)"), on: "DP-1", at: Int64(number)) }
    }
    try change(&store, at: 20) { try $0.close(#require($0.session(on: "DP-1")).id) }
    #expect(store.closedSessions.map(\.id) == Array((5...14).reversed()))
    let records = SessionModel.changes(from: SessionModel(), to: store).compactMap { change -> Record? in
      if case .put(let record) = change { record } else { nil }
    }
    let restored = SessionModel.restored(from: records.filter { $0.kind != "numbers" }, at: 21)
    #expect(restored.warnings.isEmpty && restored.store.closedSessions.map(\.id) == store.closedSessions.map(\.id))
    var again = restored.store
    #expect(again.open(scene("new"), at: 22).id == 15)
  }

  @Test func `Reopening a card moves it from the display on which it is open`() throws {
    var store = store(["DP-1", "DP-2"])
    let first = store.open(scene("a"), tag: "card:a", on: "DP-1", at: 2)
    try change(&store, at: 3) { try $0.close(first.id) }
    let second = store.open(scene("a"), tag: "card:a", on: "DP-2", at: 4)
    try change(&store, at: 5) { try $0.reopen(first.id, at: 5) }
    #expect(store.sessions.map(\.id) == [first.id] && store.closedSessions.map(\.id) == [second.id])
  }
}
