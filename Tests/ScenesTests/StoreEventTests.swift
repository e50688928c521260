import Scenes
import Testing

struct StoreEventTests {
  private func store() -> SessionModel {
    var store = SessionModel()
    store.attach([Arrival(display: "DP-1", monitor: "A", place: "DP-1")], at: 0)
    return store
  }

  private func events(_ store: inout SessionModel, _ change: (inout SessionModel) -> Void) -> [SessionModelEvent] {
    let old = store
    change(&store)
    return SessionModel.events(from: old, to: store)
  }

  @Test func `A session that replaces another closes it, and opening it again is one event`() {
    var store = store()
    let first = store.open(.banner("1"), on: "DP-1", at: 1)
    let both = events(&store) { $0.open(.banner("2"), on: "DP-1", at: 2) }
    let second = store.sessions[0]
    #expect(both == [.closed(first, display: "DP-1"), .opened(second, display: "DP-1")])
    let again = events(&store) { $0.open(.banner("2"), on: "DP-1", at: 3) }
    #expect(again == [.opened(store.sessions[0], display: "DP-1")])
  }

  @Test func `A scroll changes its session once, and an equal scroll changes nothing`() throws {
    var store = store()
    let session = store.open(.banner("1"), on: "DP-1", at: 1)
    let scrolled = events(&store) { _ = try? $0.scroll(session.id, to: .share(0.5)) }
    #expect(scrolled == [.changed(try #require(store.session(session.id)), display: "DP-1")])
    #expect(events(&store) { _ = try? $0.scroll(session.id, to: .share(0.5)) }.isEmpty)
  }

  @Test func `A session moves with its monitor and has no events while the monitor is absent`() {
    var store = store()
    store.open(.banner("1"), on: "DP-1", at: 1)
    #expect(events(&store) { $0.detach("DP-1", at: 2) }.isEmpty)
    let back = events(&store) { $0.attach([Arrival(display: "DP-2", monitor: "A", place: "DP-2")], at: 3) }
    #expect(back == [.moved(store.sessions[0], display: "DP-2")])
    store.detach("DP-2", at: 4)
    let session = store.sessions[0]
    #expect(events(&store) { $0.prune(at: 1 << 50) } == [.closed(session, display: nil)])
  }

  @Test func `Messages report posts and ends, and an acknowledgement alone reports nothing`() throws {
    var store = store()
    let posted = events(&store) { _ = try? $0.post(.banner("1"), name: "n", at: 1) }
    let first = try #require(store.message(named: "n"))
    #expect(posted == [.posted(first)])
    #expect(events(&store) { _ = try? $0.acknowledge(first.id, at: 2) }.isEmpty)
    let changed = events(&store) { _ = try? $0.post(.banner("2"), name: "n", at: 3) }
    let second = try #require(store.message(named: "n"))
    #expect(changed == [.posted(second)])
    #expect(events(&store) { _ = try? $0.withdraw(second.id) } == [.ended(second)])
  }
}
