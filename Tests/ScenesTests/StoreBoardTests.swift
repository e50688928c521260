import JSON
import Scenes
import Testing

/// The controller's board, and edits of open sessions.
struct StoreBoardTests {
  private func board(_ cards: Card...) -> Scene { Scene(.board(Board(columns: [Board.Column(cards: cards)]))) }

  private func ids(_ store: SessionModel) -> [String?] {
    guard case .board(let board) = store.board.content else { return [] }
    return board.columns.flatMap(\.cards).map(\.id)
  }

  @Test func `An edit changes only the scene, and a scene of the same kind keeps its scroll position`()
    throws
  {
    var store = SessionModel()
    let id = store.open(Scene(.markdown(MarkdownText("one"))), on: "DP-1", at: 1).id
    try store.scroll(id, to: .share(0.5))
    let before = try #require(store.session(id))
    let edited = try store.edit(id, to: Scene(.markdown(MarkdownText("two"))))
    #expect(edited == store.session(id) && edited.place == .share(0.5))
    #expect(edited.raised == before.raised && edited.opened == before.opened)
    #expect(try store.edit(id, to: .banner("three")).place == .start)
    #expect(throws: SessionModelError.noSession(99)) { try store.edit(99, to: .banner("four")) }
  }

  @Test func `The initial board has no columns and is not persisted`() {
    #expect(SessionModel().board.document == ["kind": "board", "columns": []])
    #expect(SessionModel.changes(from: SessionModel(), to: SessionModel(after: 0)).isEmpty)
  }

  @Test func `Cards without an ID get a short, readable and unique one`() throws {
    var store = SessionModel()
    try store.setBoard(
      board(
        Card(title: "Lift 2 is back!"), Card(id: "lift-2-is-back"), Card(title: "Lift 2 is back"), Card(),
        Card(title: "¡¿…"), Card(title: "Größe 3 für Ämter und noch viel mehr"), Card(id: "card-2")))
    #expect(
      ids(store) == [
        "lift-2-is-back-2", "lift-2-is-back", "lift-2-is-back-3", "card", "card-3", "gre-3-fr-mter-und-noch-v",
        "card-2",
      ])
    let again = store.board
    try store.setBoard(again)
    #expect(store.board == again)
  }

  @Test func `A scene of another kind and a board with duplicate IDs are rejected without any change`() throws {
    var store = SessionModel()
    let before = store
    #expect(throws: SessionModelError.noBoard(kind: "banner")) { try store.setBoard(.banner("x")) }
    #expect(throws: SessionModelError.doubledCard("a")) { try store.setBoard(board(Card(id: "a"), Card(id: "a"))) }
    #expect(store == before)
    #expect("\(SessionModelError.doubledCard("a"))".contains("the id a"))
  }

  @Test func `An open card changes with the board, keeps its style, and ends when it is removed`() throws {
    var store = SessionModel()
    try store.setBoard(board(Card(id: "a", title: "1"), Card(id: "b", title: "1")))
    var style = StyleChanges()
    style.weight = 300
    let open = store.open(Scene(.card(Card(id: "a", title: "1")), style: style), tag: "card:a", on: "DP-1", at: 1)
    let other = store.open(Scene(.card(Card(id: "b", title: "edited")), style: style), tag: "card:b", on: "DP-2", at: 2)
    let banner = store.open(.banner("1"), tag: "card:c", on: "DP-3", at: 3)
    #expect(store.sessions.map(\.card) == ["a", "b", "c"])
    try store.setBoard(board(Card(id: "a", title: "2"), Card(id: "b", title: "1")))
    #expect(store.session(open.id)?.scene == Scene(.card(Card(id: "a", title: "2")), style: style))
    #expect(store.session(other.id) == other, "the card is unchanged")
    #expect(store.session(banner.id) == banner, "a session whose card is not on the board is unchanged")
    let before = store
    try store.setBoard(board(Card(id: "b", title: "1")))
    #expect(store.sessions == [other, banner], "a card that was never on the board cannot be removed from it")
    let closed = try #require(before.session(open.id))
    #expect(SessionModel.events(from: before, to: store).first == .closed(closed, display: "DP-1"))
  }

  @Test func `A card has one session, which moves to the display on which it is opened`() throws {
    var store = SessionModel()
    func card(_ title: String) -> Scene { Scene(.card(Card(id: "a", title: title))) }
    for display in ["DP-1", "DP-2"] {
      store.attach([Arrival(display: display, monitor: display, place: display, role: "external", tags: [])], at: 0)
    }
    let former = store.open(.banner("Here before"), on: "DP-2", at: 1)
    let open = store.open(card("1"), tag: "card:a", on: "DP-1", at: 2)
    let moved = store.open(card("2"), tag: "card:a", on: "DP-2", at: 3)
    #expect(moved.id == open.id && moved.scene == card("2") && moved.raised > open.raised)
    #expect(store.session(on: "DP-1") == nil && store.session(on: "DP-2") == moved && store.session(former.id) == nil)
    #expect(
      store.open(card("2"), tag: "card:a", at: 4).id == open.id, "without a display, the card stays on its own display")
    #expect(store.session(on: "DP-2")?.id == open.id)
    store.detach("DP-2", at: 5)
    #expect(
      store.open(card("2"), tag: "card:a", on: "DP-1", at: 6).id == open.id,
      "the card also moves from a disconnected monitor")
    #expect(store.sessions.map(\.id) == [open.id] && store.session(on: "DP-1")?.id == open.id)
    let lobby = store.open(.banner("1"), tag: "lobby", on: "DP-3", at: 7)
    #expect(
      store.open(.banner("1"), tag: "lobby", on: "DP-4", at: 8).id != lobby.id,
      "sessions with other tags may be open twice")
  }

  @Test func `Opening a card closes its duplicates from an earlier version`() throws {
    var (one, other) = (SessionModel(), SessionModel(after: 100))
    let scene = Scene(.card(Card(id: "a", title: "1")))
    one.open(scene, tag: "card:a", on: "DP-1", at: 1)
    other.open(scene, tag: "card:a", on: "DP-2", at: 1)
    let records = [one, other].flatMap { SessionModel.changes(from: SessionModel(), to: $0) }.compactMap { change in
      if case .put(let record) = change { record } else { nil }
    }
    var store = SessionModel.restored(from: records, at: 2).store
    try #require(store.sessions.count == 2)
    let id = store.open(scene, tag: "card:a", on: "DP-2", at: 3).id
    #expect(store.sessions.map(\.id) == [id] && store.session(on: "DP-2")?.id == id)
  }

  @Test func `The board is persisted as one record, and an unreadable one is reported`() throws {
    var store = SessionModel()
    try store.setBoard(board(Card(id: "a", title: "1")))
    let changes = SessionModel.changes(from: SessionModel(), to: store)
    try #require(changes.count == 1)
    guard case .put(let record) = changes[0] else { throw SessionModelError.noBoard(kind: "\(changes)") }
    #expect(record.kind == "board" && record.key == "controller")
    #expect(
      record.json == #"{"scene":{"columns":[{"cards":[{"id":"a","title":"1"}]}],"kind":"board"},"v":1}"#)
    let (restored, steps, warnings) = SessionModel.restored(from: [record], at: 1)
    #expect(restored == store && steps.isEmpty && warnings.isEmpty)
    for json in ["{", #"{"v":1,"scene":{"kind":"blank"}}"#, #"{"v":1}"#] {
      let broken = SessionModel.restored(from: [Record(kind: "board", key: "controller", json: json)], at: 1)
      #expect(
        broken.store.board == SessionModel().board && broken.warnings.count == 1 && broken.changes.isEmpty, "\(json)")
    }
  }

  @Test func `Events report a changed board and the sessions that changed with it`() throws {
    var store = SessionModel()
    try store.setBoard(board(Card(id: "a", title: "1")))
    let open = store.open(Scene(.card(Card(id: "a", title: "1"))), tag: "card:a", on: "DP-1", at: 1)
    let before = store
    try store.setBoard(board(Card(id: "a", title: "2")))
    let changed = try #require(store.session(open.id))
    #expect(
      SessionModel.events(from: before, to: store) == [.changed(changed, display: "DP-1"), .boardChanged(store.board)])
  }
}
