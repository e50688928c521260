import Control
import JSON
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// What two people may change at a time: the scene of a session, and the board.
struct BoardTests {
  private func rig() async throws -> Rig {
    let rig = Rig()
    await rig.start()
    try await rig.plug(320, 240)
    await rig.rest()
    return rig
  }

  private func open(_ rig: Rig, _ scene: Scene, tag: String? = nil) async throws -> SessionReport {
    try await rig.director.open(OpenRequest(scene: scene.document, display: "Virtual-1", tag: tag, wait: true))
  }

  private func board(_ title: String) -> JSONValue {
    ["kind": "board", "columns": [["cards": [["title": .string(title), "id": "a"]]]]]
  }

  @Test func `an edit is on the glass, kept, and of the revision that it tells`() async throws {
    let rig = try await rig()
    let first = try await open(rig, .banner("One"))
    let id = try #require(first.id)
    let second = try await rig.director.edit(
      id, SceneEdit(scene: Scene.banner("Two").document, expecting: first.revision))
    #expect(rig.keeper.isSettled && second.id == id && second.message == "Two" && second.revision != first.revision)
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.message == "Two")
    #expect(rig.keeper.records.contains { $0.json.contains("Two") })
    let blind = try await rig.director.edit(id, SceneEdit(scene: Scene.banner("One").document))
    #expect(blind.revision == first.revision, "the same scene is of the same revision")
  }

  @Test func `of two who edit the same one is told that the other was first`() async throws {
    let rig = try await rig()
    let first = try await open(rig, .banner("One"))
    let id = try #require(first.id)
    _ = try await rig.director.edit(id, SceneEdit(scene: Scene.banner("Two").document, expecting: first.revision))
    let late = SceneEdit(scene: Scene.banner("Three").document, expecting: first.revision)
    let error = await #expect(throws: ControlError.self) { try await rig.director.edit(id, late) }
    #expect(error?.kind == .changed && error?.message.contains("another client") == true)
    #expect(await rig.director.sessions().first?.message == "Two")
    for (session, scene, kind) in [
      (99, Scene.banner("x").document, ControlError.Kind.notFound), (id, ["kind": "nothing"], .invalid),
    ] {
      let error = await #expect(throws: ControlError.self) {
        try await rig.director.edit(session, SceneEdit(scene: scene))
      }
      #expect(error?.kind == kind)
    }
  }

  @Test func `of many who edit at a time from one revision just one succeeds`() async throws {
    let rig = try await rig()
    let first = try await open(rig, .banner("One"))
    let (director, id, revision) = (rig.director, try #require(first.id), first.revision)
    let done = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<20 {
        group.addTask {
          let edit = SceneEdit(scene: Scene.banner("Edit \(number)").document, expecting: revision)
          return (try? await director.edit(id, edit)) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(done == 1)
  }

  @Test func `a page that is edited stays where it is read`() async throws {
    let rig = try await rig()
    let text = String(repeating: "A paragraph.\n\n", count: 100)
    let scene = Scene(.markdown(MarkdownText(text)))
    let id = try #require(try await open(rig, scene).id)
    _ = try await rig.director.scroll(id, .position(0.5))
    let edited = Scene(.markdown(MarkdownText(text + "More.")))
    #expect(try await rig.director.edit(id, SceneEdit(scene: edited.document)).scroll == .position(0.5))
    #expect(try await rig.director.edit(id, SceneEdit(scene: Scene.banner("x").document)).scroll == .position(0))
  }

  @Test func `the board is kept, and open cards follow it onto the glass`() async throws {
    let rig = try await rig()
    let empty = await rig.director.board()
    #expect(empty.board == ["kind": "board", "columns": []] && empty.open.isEmpty)
    let first = try await rig.director.setBoard(SceneEdit(scene: board("One"), expecting: empty.revision))
    #expect(rig.keeper.isSettled && first.revision != empty.revision)
    let id = try #require(try await open(rig, Scene(.card(Card(id: "a", title: "One"))), tag: "card:a").id)
    let events = await rig.director.events()
    let second = try await rig.director.setBoard(SceneEdit(scene: board("Two"), expecting: first.revision))
    #expect(second.open == [.init(card: "a", session: id, display: "Virtual-1")])
    #expect(await rig.director.board() == second)
    var kinds: [ControlEvent.Kind] = []
    for await event in events {
      kinds.append(event.kind)
      if event.kind == .messageShown { break }
    }
    #expect(kinds == [.sessionChanged, .boardChanged, .messageShown])
    #expect(await rig.display("Virtual-1")?.message == "Two")
    let late = await #expect(throws: ControlError.self) {
      try await rig.director.setBoard(SceneEdit(scene: board("Three"), expecting: first.revision))
    }
    #expect(late?.kind == .changed)
    let other = Rig(keeper: rig.keeper)
    await other.start()
    #expect(await other.director.board().board == second.board)
    #expect(await other.director.board().open == [.init(card: "a", session: id, display: nil)])
  }

  @Test func `a card is on one display at a time, and leaves it when it is removed from the board`() async throws {
    let rig = try await rig()
    try await rig.plug(320, 240)
    _ = try await rig.director.setBoard(SceneEdit(scene: board("One")))
    let card = Scene(.card(Card(id: "a", title: "One")))
    let id = try #require(try await open(rig, card, tag: "card:a").id)
    let request = OpenRequest(scene: card.document, display: "Virtual-2", tag: "card:a", wait: true)
    let moved = try await rig.director.open(request)
    #expect(moved.id == id && moved.display == "Virtual-2")
    #expect(await rig.director.board().open == [.init(card: "a", session: id, display: "Virtual-2")])
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.message == "Hello")
    #expect(await rig.display("Virtual-2")?.message == "One")
    let empty = try await rig.director.setBoard(SceneEdit(scene: ["kind": "board", "columns": []]))
    #expect(empty.open.isEmpty)
    await rig.rest()
    #expect(await rig.display("Virtual-2")?.message == "Hello")
  }

  @Test func `a board that is none is refused`() async throws {
    let rig = try await rig()
    for scene: JSONValue in [
      ["kind": "blank"], ["kind": "board"],
      ["kind": "board", "columns": [["cards": [["id": "a"], ["id": "a"]]]]],
    ] {
      let error = await #expect(throws: ControlError.self) { try await rig.director.setBoard(SceneEdit(scene: scene)) }
      #expect(error?.kind == .invalid)
    }
    #expect(await rig.director.board().board == ["kind": "board", "columns": []])
  }

  @Test func `a card, a message and a tag have names that no shell reads anything into`() async throws {
    let rig = try await rig()
    let hostile = "$(id>/tmp/x)"
    let board: JSONValue = [
      "kind": "board", "columns": [["cards": []], ["cards": [["id": "a"], ["id": .string(hostile)]]]],
    ]
    let text = Scene.banner("x").document
    let director = rig.director
    func post(_ request: MessageRequest) -> () async throws(ControlError) -> Void {
      { () throws(ControlError) in _ = try await director.post(request) }
    }
    let refusals: [(String, () async throws(ControlError) -> Void)] = [
      (
        "`columns[1].cards[1].id`",
        { () throws(ControlError) in _ = try await director.setBoard(SceneEdit(scene: board)) }
      ),
      ("`name`", post(MessageRequest(text: "x", name: hostile))),
      ("`tag`", post(MessageRequest(text: "x", tag: hostile))),
      (
        "`tag`", { () throws(ControlError) in _ = try await director.open(OpenRequest(scene: text, tag: "card:a b")) }
      ),
    ]
    for (field, act) in refusals {
      do throws(ControlError) {
        try await act()
        Issue.record("\(field) was taken")
      } catch {
        #expect(error.kind == .invalid && error.message.contains(field), "\(error.message)")
        #expect(error.message.contains("A-Z a-z 0-9 . _ : @ -"), "\(error.message)")
      }
    }
    #expect(await rig.director.messages().isEmpty)
    _ = try await rig.director.post(MessageRequest(text: "x", tag: "card:lift-2", name: "door.1:a_b@c"))
  }
}
