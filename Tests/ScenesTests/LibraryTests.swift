import Scenes
import Testing

/// The library: entries, the references to them, and their records.
struct LibraryTests {
  private let zones = ZoneCache()

  private func store() throws -> SessionModel {
    var store = SessionModel()
    try store.setEntry(LibraryEntry("menu", .banner("Soup"), title: "Menu", tags: ["food"]), at: 1)
    let loop = Playlist([.init(Scene(.entry("menu"))), .init(.blank)])
    try store.setEntry(LibraryEntry("loop", Scene(.playlist(loop))), at: 2)
    store.open(Scene(.entry("loop")), on: "DP-1", at: 3)
    try store.post(Scene(.entry("menu")), name: "lunch", at: 4)
    return store
  }

  @Test func `an entry that is in use is not removed, and says where it is used`() throws {
    var store = try store()
    #expect(store.uses == ["menu": ["the library entry loop", "message lunch"], "loop": ["session 1"]])
    #expect(throws: SessionModelError.entryInUse("menu", ["the library entry loop", "message lunch"])) {
      try store.removeEntry("menu")
    }
    #expect(throws: SessionModelError.noEntry("other")) { try store.removeEntry("other") }
    try store.setEntry(LibraryEntry("loop", .blank), at: 5)
    try store.withdraw(2)
    try store.removeEntry("menu")
    #expect(store.entryNames == ["loop"])
  }

  @Test func `a new name is used everywhere`() throws {
    var store = try store()
    try store.renameEntry("menu", to: "lunch", at: 9)
    #expect(store.entryNames == ["loop", "lunch"])
    #expect(store.library["loop"]?.scene.entries == ["lunch"])
    #expect(store.message(named: "lunch")?.scene == Scene(.entry("lunch")))
    #expect(store.library["lunch"]?.title == "Menu")
    #expect(throws: SessionModelError.doubledEntry("loop")) { try store.renameEntry("lunch", to: "loop", at: 9) }
    #expect(throws: SessionModelError.noEntry("menu")) { try store.renameEntry("menu", to: "x", at: 9) }
  }

  @Test func `an entry cannot contain itself, and needs the entries that it refers to`() throws {
    var store = try store()
    #expect(throws: SessionModelError.entryLoop("menu")) {
      try store.setEntry(LibraryEntry("menu", Scene(.entry("loop"))), at: 5)
    }
    #expect(throws: SessionModelError.entryLoop("self")) {
      try store.setEntry(LibraryEntry("self", Scene(.entry("self"))), at: 5)
    }
    #expect(throws: SessionModelError.noEntry("none")) {
      try store.setEntry(LibraryEntry("a", Scene(.entry("none"))), at: 5)
    }
  }

  @Test func `entries are restored from their records, and only changed ones are written`() throws {
    let store = try store()
    let changes = SessionModel.changes(from: SessionModel(), to: store)
    let records = changes.compactMap { if case .put(let record) = $0 { record } else { nil } }
    let restored = SessionModel.restored(from: records.shuffled(), at: 10)
    #expect(restored.warnings == [])
    #expect(restored.store.library == store.library)
    var changed = store
    try changed.setEntry(LibraryEntry("menu", .banner("Pizza")), at: 6)
    let written = SessionModel.changes(from: store, to: changed)
    #expect(written.count == 1)
    #expect(SessionModel.events(from: store, to: changed) == [.entryChanged("menu")])
  }

  @Test func `a record that cannot be read leaves the other entries, and what refers to it says so`() throws {
    let store = try store()
    let records = SessionModel.changes(from: SessionModel(), to: store).compactMap { change -> Record? in
      guard case .put(var record) = change else { return nil }
      if record.kind == "entry", record.key == "menu" { record.json = "{" }
      return record
    }
    let restored = SessionModel.restored(from: records, at: 10)
    #expect(restored.warnings == ["the entry menu cannot be read and is left out: it is not a JSON object"])
    let context = ViewContext(now: 0, zones: zones, library: restored.store.library)
    let moment = Scene(.entry("loop")).view(in: context)
    #expect(moment.view.content == .banner("There is no library entry menu."))
    #expect(moment.warnings == ["there is no library entry menu; `placard library` lists them"])
  }

  @Test func `mirrors and controllers in entries count as those of the scene`() throws {
    var store = try store()
    #expect(!store.tellsOfOthers(Scene(.entry("loop"))))
    try store.setEntry(LibraryEntry("menu", Scene(.mirror(of: "DP-2"))), at: 5)
    #expect(store.tellsOfOthers(Scene(.entry("loop"))))
    #expect(store.mirrored(by: Scene(.entry("loop"))) == ["DP-2"])
  }
}
