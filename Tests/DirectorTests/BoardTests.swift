import Control
import JSON
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// Concurrent edits of a session's scene and of the board.
struct BoardTests {
  private func harness() async throws -> Harness {
    let harness = Harness()
    await harness.start()
    try await harness.plug(320, 240)
    await harness.rest()
    return harness
  }

  private func open(_ harness: Harness, _ scene: Scene, tag: String? = nil) async throws -> SessionReport {
    try await harness.director.open(OpenRequest(scene: scene.document, display: "Virtual-1", tag: tag, wait: true))
  }

  private func board(_ title: String) -> JSONValue {
    ["kind": "board", "columns": [["cards": [["title": .string(title), "id": "a"]]]]]
  }

  @Test func `an edit is stored and presented, and equal scenes have equal revisions`() async throws {
    let harness = try await harness()
    let first = try await open(harness, .banner("One"))
    let id = try #require(first.id)
    let second = try await harness.director.edit(
      id, SceneEdit(scene: Scene.banner("Two").document, expecting: first.revision))
    #expect(
      harness.persistence.isSettled && second.id == id && second.message == "Two" && second.revision != first.revision)
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.message == "Two")
    #expect(harness.persistence.records.contains { $0.json.contains("Two") })
    let blind = try await harness.director.edit(id, SceneEdit(scene: Scene.banner("One").document))
    #expect(blind.revision == first.revision, "an equal scene has an equal revision")
  }

  @Test func `edits of an older revision, of an unknown session and with an invalid scene are refused`() async throws {
    let harness = try await harness()
    let first = try await open(harness, .banner("One"))
    let id = try #require(first.id)
    _ = try await harness.director.edit(id, SceneEdit(scene: Scene.banner("Two").document, expecting: first.revision))
    let late = SceneEdit(scene: Scene.banner("Three").document, expecting: first.revision)
    let error = await #expect(throws: ControlError.self) { try await harness.director.edit(id, late) }
    #expect(error?.kind == .changed && error?.message.contains("another client") == true)
    #expect(await harness.director.sessions().first?.message == "Two")
    for (session, scene, kind) in [
      (99, Scene.banner("x").document, ControlError.Kind.notFound), (id, ["kind": "nothing"], .invalid),
    ] {
      let error = await #expect(throws: ControlError.self) {
        try await harness.director.edit(session, SceneEdit(scene: scene))
      }
      #expect(error?.kind == kind)
    }
  }

  @Test func `one of 20 concurrent edits of the same revision succeeds`() async throws {
    let harness = try await harness()
    let first = try await open(harness, .banner("One"))
    let (director, id, revision) = (harness.director, try #require(first.id), first.revision)
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

  @Test func `the answer to an edit has the scene and the revision of that edit, even if another edit follows it`()
    async throws
  {
    let harness = try await harness()
    let (director, id) = (harness.director, try #require(try await open(harness, .banner("One")).id))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let scene = Scene.banner("Edit \(number)").document
          let answer = try? await director.edit(id, SceneEdit(scene: scene))
          #expect(answer?.scene == scene && answer?.revision == Revision.of(scene))
          #expect(answer?.summary == "Edit \(number)")
        }
      }
    }
  }

  @Test func `an edit of a page keeps its scroll position, and another kind of scene resets it`() async throws {
    let harness = try await harness()
    let text = String(repeating: "A paragraph.\n\n", count: 100)
    let scene = Scene(.markdown(MarkdownText(text)))
    let id = try #require(try await open(harness, scene).id)
    _ = try await harness.director.scroll(id, .position(0.5))
    let edited = Scene(.markdown(MarkdownText(text + "More.")))
    #expect(try await harness.director.edit(id, SceneEdit(scene: edited.document)).scroll == .position(0.5))
    #expect(try await harness.director.edit(id, SceneEdit(scene: Scene.banner("x").document)).scroll == .position(0))
  }

  @Test func `a changed board is stored and restored, and updates its open cards on the displays`() async throws {
    let harness = try await harness()
    let empty = await harness.director.board()
    #expect(empty.board == ["kind": "board", "columns": []] && empty.open.isEmpty)
    let first = try await harness.director.setBoard(SceneEdit(scene: board("One"), expecting: empty.revision))
    #expect(harness.persistence.isSettled && first.revision != empty.revision)
    let id = try #require(try await open(harness, Scene(.card(Card(id: "a", title: "One"))), tag: "card:a").id)
    let events = await harness.director.events()
    let second = try await harness.director.setBoard(SceneEdit(scene: board("Two"), expecting: first.revision))
    #expect(second.open == [.init(card: "a", session: id, display: "Virtual-1")])
    #expect(await harness.director.board() == second)
    var kinds: [ControlEvent.Kind] = []
    for await event in events {
      kinds.append(event.kind)
      if event.kind == .messageShown { break }
    }
    #expect(kinds == [.sessionChanged, .boardChanged, .messageShown])
    #expect(await harness.display("Virtual-1")?.message == "Two")
    let late = await #expect(throws: ControlError.self) {
      try await harness.director.setBoard(SceneEdit(scene: board("Three"), expecting: first.revision))
    }
    #expect(late?.kind == .changed)
    let other = Harness(persistence: harness.persistence)
    await other.start()
    #expect(await other.director.board().board == second.board)
    #expect(await other.director.board().open == [.init(card: "a", session: id, display: nil)])
  }

  @Test func `a card opened on a second display moves there, and closes when it leaves the board`() async throws {
    let harness = try await harness()
    try await harness.plug(320, 240)
    _ = try await harness.director.setBoard(SceneEdit(scene: board("One")))
    let card = Scene(.card(Card(id: "a", title: "One")))
    let id = try #require(try await open(harness, card, tag: "card:a").id)
    let request = OpenRequest(scene: card.document, display: "Virtual-2", tag: "card:a", wait: true)
    let moved = try await harness.director.open(request)
    #expect(moved.id == id && moved.display == "Virtual-2")
    #expect(await harness.director.board().open == [.init(card: "a", session: id, display: "Virtual-2")])
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.message == "Hello")
    #expect(await harness.display("Virtual-2")?.message == "One")
    let empty = try await harness.director.setBoard(SceneEdit(scene: ["kind": "board", "columns": []]))
    #expect(empty.open.isEmpty)
    await harness.rest()
    #expect(await harness.display("Virtual-2")?.message == "Hello")
  }

  @Test func `a scene of another kind, a board without columns and duplicate card IDs are refused`() async throws {
    let harness = try await harness()
    for scene: JSONValue in [
      ["kind": "blank"], ["kind": "board"],
      ["kind": "board", "columns": [["cards": [["id": "a"], ["id": "a"]]]]],
    ] {
      let error = await #expect(throws: ControlError.self) {
        try await harness.director.setBoard(SceneEdit(scene: scene))
      }
      #expect(error?.kind == .invalid)
    }
    #expect(await harness.director.board().board == ["kind": "board", "columns": []])
  }

  @Test func `card IDs, message names and tags with shell metacharacters are refused`() async throws {
    let harness = try await harness()
    let hostile = "$(id>/tmp/x)"
    let board: JSONValue = [
      "kind": "board", "columns": [["cards": []], ["cards": [["id": "a"], ["id": .string(hostile)]]]],
    ]
    let text = Scene.banner("x").document
    let director = harness.director
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
        Issue.record("\(field) was accepted")
      } catch {
        #expect(error.kind == .invalid && error.message.contains(field), "\(error.message)")
        #expect(error.message.contains("A-Z a-z 0-9 . _ : @ -"), "\(error.message)")
      }
    }
    #expect(await harness.director.messages().isEmpty)
    _ = try await harness.director.post(MessageRequest(text: "x", tag: "card:lift-2", name: "door.1:a_b@c"))
  }
}
