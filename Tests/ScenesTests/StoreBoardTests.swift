import JSON
import Scenes
import Testing

/// The controller's board, and edits of what is open.
struct StoreBoardTests {
  private func board(_ cards: Card...) -> Scene { Scene(.board(Board(columns: [Board.Column(cards: cards)]))) }

  private func ids(_ store: Store) -> [String?] {
    guard case .board(let board) = store.board.content else { return [] }
    return board.columns.flatMap(\.cards).map(\.id)
  }

  @Test func `An edit changes a session's scene alone, and what stays of its kind stays where it was scrolled to`()
    throws
  {
    var store = Store()
    let id = store.open(Scene(.markdown(MarkdownText("one"))), on: "DP-1", at: 1).id
    try store.scroll(id, to: .share(0.5))
    let before = try #require(store.session(id))
    let edited = try store.edit(id, to: Scene(.markdown(MarkdownText("two"))))
    #expect(edited == store.session(id) && edited.place == .share(0.5))
    #expect(edited.raised == before.raised && edited.opened == before.opened)
    #expect(try store.edit(id, to: .banner("three")).place == .start)
    #expect(throws: StoreError.noSession(99)) { try store.edit(99, to: .banner("four")) }
  }

  @Test func `A board without columns is there at first, and is not written down`() {
    #expect(Store().board.document == ["kind": "board", "columns": []])
    #expect(Store.changes(from: Store(), to: Store(after: 0)).isEmpty)
  }

  @Test func `Cards without an id get a short one that can be read, and none twice`() throws {
    var store = Store()
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

  @Test func `What is no board, or has two cards of one id, is refused, and nothing is changed`() throws {
    var store = Store()
    let before = store
    #expect(throws: StoreError.noBoard(kind: "banner")) { try store.setBoard(.banner("x")) }
    #expect(throws: StoreError.doubledCard("a")) { try store.setBoard(board(Card(id: "a"), Card(id: "a"))) }
    #expect(store == before)
    #expect("\(StoreError.doubledCard("a"))".contains("the id a"))
  }

  @Test func `An open card changes with the board, keeps its style, and stays when it is taken off`() throws {
    var store = Store()
    try store.setBoard(board(Card(id: "a", title: "1"), Card(id: "b", title: "1")))
    var style = StyleChanges()
    style.weight = 300
    let open = store.open(Scene(.card(Card(id: "a", title: "1")), style: style), tag: "card:a", on: "DP-1", at: 1)
    let other = store.open(Scene(.card(Card(id: "b", title: "edited")), style: style), tag: "card:b", on: "DP-2", at: 2)
    let banner = store.open(.banner("1"), tag: "card:a", on: "DP-3", at: 3)
    #expect(store.sessions.map(\.card) == ["a", "b", "a"])
    try store.setBoard(board(Card(id: "a", title: "2"), Card(id: "b", title: "1")))
    #expect(store.session(open.id)?.scene == Scene(.card(Card(id: "a", title: "2")), style: style))
    #expect(store.session(other.id) == other, "its card did not change")
    #expect(store.session(banner.id) == banner, "it is a card no more")
    try store.setBoard(board())
    #expect(store.session(open.id)?.scene == Scene(.card(Card(id: "a", title: "2")), style: style))
  }

  @Test func `The board outlives the service as one record, and what cannot be read of it is told`() throws {
    var store = Store()
    try store.setBoard(board(Card(id: "a", title: "1")))
    let changes = Store.changes(from: Store(), to: store)
    try #require(changes.count == 1)
    guard case .put(let record) = changes[0] else { throw StoreError.noBoard(kind: "\(changes)") }
    #expect(record.kind == "board" && record.key == "controller")
    #expect(
      record.json == #"{"scene":{"columns":[{"cards":[{"id":"a","title":"1"}]}],"kind":"board"},"v":1}"#)
    let (restored, steps, warnings) = Store.restored(from: [record], at: 1)
    #expect(restored == store && steps.isEmpty && warnings.isEmpty)
    for json in ["{", #"{"v":1,"scene":{"kind":"blank"}}"#, #"{"v":1}"#] {
      let broken = Store.restored(from: [Record(kind: "board", key: "controller", json: json)], at: 1)
      #expect(broken.store.board == Store().board && broken.warnings.count == 1 && broken.changes.isEmpty, "\(json)")
    }
  }

  @Test func `Whoever watches hears that the board changed, and which sessions did with it`() throws {
    var store = Store()
    try store.setBoard(board(Card(id: "a", title: "1")))
    let open = store.open(Scene(.card(Card(id: "a", title: "1"))), tag: "card:a", on: "DP-1", at: 1)
    let before = store
    try store.setBoard(board(Card(id: "a", title: "2")))
    let changed = try #require(store.session(open.id))
    #expect(Store.events(from: before, to: store) == [.changed(changed, display: "DP-1"), .boardChanged(store.board)])
  }
}
