import Geometry
import Scenes
import SeededRandom
import Testing

struct StoreRecordTests {
  private func records(_ store: SessionModel) -> [Record] {
    SessionModel.changes(from: SessionModel(), to: store).compactMap {
      if case .put(let record) = $0 { record } else { nil }
    }
  }

  private var store: SessionModel {
    get throws {
      var store = SessionModel()
      store.attach([Arrival(display: "DP-1", monitor: "A", place: "p", tags: ["lobby"])], at: 1)
      let page = Scene(.markdown(MarkdownText("# Übersicht\n\"x\"", size: 40)))
      let session = store.open(page, tag: "page", on: "DP-1", at: 2)
      try store.scroll(session.id, to: .heading("übersicht"))
      store.open(.banner("Soon"), on: "DP-2", at: 3)
      try store.post(
        .banner("Drill"), to: .tag("lobby"), name: "drill", priority: 9, expires: 99, needsAcknowledgement: true, at: 4)
      return store
    }
  }

  @Test func `A new scene, a scroll, a plug or a sleep changes one record`() throws {
    let store = try store
    let id = try #require(store.session(on: "DP-1")?.id)
    func kinds(_ act: (inout SessionModel) throws -> Void) rethrows -> [String] {
      var changed = store
      try act(&changed)
      return SessionModel.changes(from: store, to: changed).map { change in
        switch change {
        case .put(let record): "put \(record.kind) \(record.key)"
        case .remove(let kind, let key): "remove \(kind) \(key)"
        }
      }
    }
    #expect(kinds { $0.open(.banner("typed"), tag: "page", on: "DP-1", at: 5) } == ["put session 1"])
    #expect(try kinds { try $0.scroll(id, to: .share(0.3)) } == ["put session 1"])
    #expect(kinds { $0.setAsleep(true, on: "DP-1") } == ["put profile 1"])
    #expect(kinds { $0.choose(MonitorChoice(mode: "native"), on: "DP-1") } == ["put profile 1"])
    #expect(kinds { $0.detach("DP-1", at: 6) } == ["put profile 1"])
    #expect(try kinds { try $0.post(.banner("x"), name: "drill", at: 7) } == ["put message 3"])
    #expect(try kinds { try $0.withdraw(3) } == ["remove message 3"])
    #expect(try kinds { try $0.post(.banner("x"), at: 7) } == ["put numbers last", "put message 4"])
    #expect(try kinds { try $0.close(id) } == ["remove profile 1", "remove session 1"])
    #expect(
      try kinds { try $0.move(id, to: "DP-2", at: 8) } == ["remove profile 1", "put session 1", "remove session 2"])
    #expect(kinds { $0.attach([Arrival(display: "DP-3", monitor: "B", place: "q")], at: 9) } == ["put numbers last"])
    #expect(kinds { _ in } == [])
  }

  @Test func `Records have the documented format`() throws {
    let records = records(try store)
    #expect(
      records.map { "\($0.kind) \($0.key)" } == ["numbers last", "profile 1", "session 1", "session 2", "message 3"])
    #expect(records[0].json == #"{"number":3,"profile":1,"v":1}"#)
    #expect(
      records[1].json
        == #"{"asleep":false,"display":"DP-1","last_seen":1,"monitor":"A","place":"p","role":"external","#
        + #""tags":["lobby"],"v":1}"#)
    #expect(
      records[3].json
        == #"{"display":"DP-2","opened":3,"raised":3,"scene":{"kind":"banner","text":"Soon"},"scroll":0.0,"v":1}"#)
  }

  @Test func `A monitor's chosen mode and rotation are stored with it and restored`() throws {
    var store = SessionModel()
    store.attach([Arrival(display: "DP-1", monitor: "A", place: "p")], at: 1)
    let choice = MonitorChoice(mode: "1920x1080@60", rotation: .quarter)
    let (isChosen, isChosenNowhere) = (store.choose(choice, on: "DP-1"), store.choose(choice, on: "DP-2"))
    #expect(isChosen && !isChosenNowhere)
    var kept = records(store)
    #expect(
      kept[1].json
        == #"{"asleep":false,"display":"DP-1","last_seen":1,"mode":"1920x1080@60","monitor":"A","place":"p","#
        + #""role":"external","rotation":90,"tags":[],"v":1}"#)
    var restored = SessionModel.restored(from: kept, at: 2).store
    restored.attach([Arrival(display: "HDMI-A-1", monitor: "A", place: "q")], at: 3)
    #expect(restored.profile(on: "HDMI-A-1")?.choice == choice)
    kept[1].json = kept[1].json.replacing(":90", with: ":45")
    #expect(
      SessionModel.restored(from: kept, at: 2).warnings == [
        "the profile 1 cannot be read and is left out: `rotation` must be 0, 90, 180 or 270"
      ])
    restored.choose(MonitorChoice(), on: "HDMI-A-1")
    restored.detach("HDMI-A-1", at: 4)
    #expect(restored.profiles.isEmpty)
  }

  @Test func `A session model is restored with its monitors unplugged`() throws {
    var store = try store
    let (restored, changes, warnings) = SessionModel.restored(from: records(store).reversed(), at: 1000)
    #expect(changes == SessionModel.changes(from: store, to: restored) && changes.count == 1)
    store.detach("DP-1", at: 1000)
    #expect(restored == store && warnings == [])
    #expect(restored.profiles.first?.lastSeen == 1000)
    #expect(SessionModel.restored(from: records(restored), at: 2000).changes == [])
  }

  @Test func `An unreadable record is skipped with a warning and neither removed nor overwritten`() throws {
    var broken = records(try store)
    broken[4].json = #"{"v":2}"#
    broken[2].json = "{"
    broken.append(Record(kind: "message", key: "41", json: #"{"v":1}"#))
    broken.append(Record(kind: "session", key: "x", json: #"{"v":1}"#))
    broken.append(Record(kind: "profile", key: "7", json: #"{"v":1,"monitor":"A","place":3}"#))
    broken.append(Record(kind: "settings", key: "", json: ""))
    var (restored, changes, warnings) = SessionModel.restored(from: broken, at: 5)
    #expect(
      warnings == [
        "the profile 7 cannot be read and is left out: `place` must be a string",
        "the session x cannot be read and is left out: its key must be a number, and unique",
        "the session 1 cannot be read and is left out: it is not a JSON object",
        "the message 3 cannot be read and is left out: its version is 2, but this Placard reads version 1",
        "the message 41 cannot be read and is left out: `priority` must be a whole number",
      ])
    #expect(restored.sessions.map(\.id) == [2] && restored.messages.isEmpty && changes == [])
    let before = restored
    let opened = restored.open(.banner("new"), at: 6)
    #expect(opened.id == 42)
    #expect(SessionModel.changes(from: before, to: restored).count == 2)
  }

  @Test func `Contradictory records are skipped`() throws {
    let good = records(try store)
    var twice = good
    for (index, key) in [(2, "8"), (3, "9"), (4, "10")] {
      twice.append(Record(kind: good[index].kind, key: key, json: good[index].json))
    }
    twice.append(good[1])
    #expect(SessionModel.restored(from: twice, at: 5).warnings.count == 4)
    let orphans = SessionModel.restored(from: good.filter { $0.kind != "profile" }, at: 5)
    #expect(orphans.warnings.count == 1 && orphans.store.sessions.map(\.id) == [2])
  }

  @Test(arguments: (0..<10).map { _ in UInt64.random(in: 0...UInt64.max) })
  func `No bytes in the archive cause a trap`(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    let good = records(try store)
    for _ in 0..<50 {
      let damaged = good.map { record in
        var bytes = Array(record.json.utf8)
        for _ in 0...chance.below(3) { bytes[chance.below(bytes.count)] = chance.pick(Array("0129{}[],:\"-e".utf8)) }
        return Record(kind: record.kind, key: record.key, json: String(decoding: bytes, as: UTF8.self))
      }
      var (restored, _, _) = SessionModel.restored(from: damaged, at: 5)
      restored.attach([Arrival(display: "DP-1", monitor: "A", place: "p")], at: 6)
      let opened = restored.open(.banner("new"), on: "DP-1", at: 7)
      #expect(restored.session(on: "DP-1")?.id == opened.id, "seed \(seed)")
    }
  }
}
