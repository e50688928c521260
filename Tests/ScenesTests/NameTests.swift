import JSON
import Testing

@testable import Scenes

/// The names that cards, messages, sessions and monitors may have.
struct NameTests {
  private static let hostile = [
    "$(id>/tmp/x)", "`id`", "a;b", "a b", "a\nb", "<(id)", "'", "ü", "a/b", "", String(repeating: "a", count: 65),
  ]

  @Test(arguments: ["a", "lift-2", "A.b_c:d@e", "9f86d081884c7d65.png", String(repeating: "a", count: 64)])
  func `A name of allowed characters is accepted and restored unchanged from the archive`(name: String) throws {
    #expect(Name.refusal(of: name) == nil && Name.refusal(ofTag: "card:" + name) == nil)
    #expect(Name.restored(name) == name && Name.restored(tag: "card:" + name) == "card:" + name)
  }

  @Test(arguments: hostile)
  func `Any other name is rejected with the field, the value and the allowed characters`(name: String) throws {
    let card: JSONValue = ["kind": "card", "id": .string(name)]
    let board: JSONValue = ["kind": "board", "columns": [["cards": [["id": "a"], ["id": .string(name)]]]]]
    for (document, path) in [(card, "id"), (board, "columns[0].cards[1].id")] {
      let error = #expect(throws: DocumentError.self) { try Scene(document: document) }
      #expect(error?.path == path && error?.reason.hasPrefix("is \(DocumentError.quote(name)): it must be") == true)
    }
    #expect(Name.refusal(of: name) != nil && Name.refusal(ofTag: name) != nil)
  }

  @Test(arguments: hostile)
  func `An invalid name from an older service always becomes the same allowed name`(name: String) {
    let restored = Name.restored(name)
    #expect(Name.refusal(of: restored) == nil, "\(restored)")
    #expect(Name.restored(name) == restored && Name.restored(restored) == restored)
  }

  @Test func `Different invalid names stay different`() {
    #expect(Set(Self.hostile.map { Name.restored($0) }).count == Self.hostile.count)
  }

  private func record(_ kind: String, _ key: String, _ json: String) -> Record {
    Record(kind: kind, key: key, json: json)
  }

  @Test func `Records with invalid names from an older service survive, and open cards stay on their board`() throws {
    let cards = #"{"cards":[{"id":"$(id)","title":"One"},{"id":"lift-2"},{"id":"a b"},{"id":"a\/b"}]}"#
    let records = [
      record("board", "controller", #"{"v":1,"scene":{"kind":"board","columns":[\#(cards)]}}"#),
      record(
        "session", "1",
        #"{"v":1,"display":"DP-1","opened":1,"raised":1,"scroll":0,"tag":"card:$(id)","#
          + #""scene":{"kind":"card","id":"$(id)","title":"One"}}"#),
      record(
        "message", "2",
        #"{"v":1,"name":"Feuer 1","target":"tag:Foyer Süd","priority":0,"created":1,"changed":1,"#
          + #""needs_acknowledgement":false,"scene":{"kind":"countdown","to":"2026-12-31","#
          + #""then":{"kind":"card","id":"a b"}}}"#),
    ]
    var (store, _, warnings) = SessionModel.restored(from: records, at: 2)
    #expect(warnings.isEmpty)
    guard case .board(let board) = store.board.content else { throw SessionModelError.noBoard(kind: store.board.kind) }
    let ids = board.columns[0].cards.compactMap(\.id)
    #expect(ids.count == 4 && Set(ids).count == 4 && ids[1] == "lift-2")
    #expect(ids.allSatisfy { Name.refusal(of: $0) == nil }, "\(ids)")
    #expect(store.session(1)?.card == ids[0])
    let message = try #require(store.messages.first)
    #expect(message.name == Name.restored("Feuer 1") && message.target == .tag(Name.restored("Foyer Süd")))
    // The restored board can be sent back unchanged, and the open card follows it.
    var document = store.board.document
    #expect(try Scene(document: document) == store.board)
    document = try JSONValue(
      parsing: String(decoding: document.encoded, as: UTF8.self).replacing("One", with: "Two").utf8)
    try store.setBoard(Scene(document: document))
    #expect(store.session(1)?.scene.summary == "Two")
  }
}
