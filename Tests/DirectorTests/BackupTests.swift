import Configuration
import Control
import Director
import Displays
import Geometry
import JSON
import NIOCore
import NIOPosix
import Scenes
import Testing
import VirtualDisplays

/// Backups that are restored on another machine.
struct BackupTests {
  private func harness() async throws -> Harness {
    let harness = Harness()
    await harness.start()
    try await harness.plug(320, 240)
    return harness
  }

  private func document(_ backup: Backup) throws -> JSONValue { try JSONValue(parsing: JSON.encode(backup)) }

  private func setting(_ members: [String: JSONValue], in document: JSONValue) -> JSONValue {
    guard case .object(let known) = document else { return document }
    return .object(known.merging(members) { $1 })
  }

  /// A service with a library, a board, a session and a message.
  private func full() async throws -> Harness {
    let harness = try await harness()
    let director = harness.director
    _ = try await director.setEntry(
      "menu", LibraryRequest(scene: Scene.banner("Soup").document, title: "Menu", tags: ["food"]), expecting: nil)
    let schedule: JSONValue = [
      "kind": "schedule",
      "rules": [["hours": "Mo-Fr 11:30-13:30", "show": ["kind": "entry", "name": "menu"]]],
    ]
    _ = try await director.setEntry("week", LibraryRequest(scene: schedule), expecting: nil)
    _ = try await director.setBoard(
      SceneEdit(scene: ["kind": "board", "columns": [["title": "Now", "cards": [["id": "a", "title": "A"]]]]]))
    _ = try await director.open(OpenRequest(scene: ["kind": "entry", "name": "week"], display: "Virtual-1"))
    _ = try await director.post(MessageRequest(text: "Drill", role: .internal, name: "drill"))
    return harness
  }

  @Test func `a backup restored on another machine has the same library, board, sessions and messages`() async throws {
    let full = try await full()
    let backup = try await full.director.backup()
    let other = try await harness()
    let director = other.director
    _ = try await director.open(OpenRequest(scene: Scene.banner("Old").document, display: "Virtual-1"))
    let trial = try await director.restore(try document(backup), isTrial: true)
    #expect(trial == RestoreReport(restored: false, entries: 2, sessions: 1, messages: 1, monitors: 1))
    #expect(await director.library(after: nil, most: 10).items.isEmpty, "a trial changes nothing")
    let done = try await director.restore(try document(backup), isTrial: false)
    #expect(done.restored && other.persistence.isSettled)
    #expect(await director.library(after: nil, most: 10).items.map(\.name) == ["menu", "week"])
    #expect(try await director.entry("menu").tags == ["food"])
    #expect(await director.board().open.isEmpty)
    #expect(await director.board().board == full.director.board().board)
    #expect(await director.messages(after: nil, most: 10).items.map(\.name) == ["drill"])
    // The monitor is the same one by its identity, so that it gets its session.
    let sessions = await director.sessions().filter { $0.id != nil }
    #expect(sessions.map(\.scene) == [["kind": "entry", "name": "week"]])
    #expect(sessions.first?.display == "Virtual-1")
    #expect(try await director.backup().records == backup.records)
  }

  @Test func `a newer or damaged backup is refused with the reason, and changes nothing`() async throws {
    let backup = try document(try await full().director.backup())
    let other = try await full()
    let before = try await other.director.backup().records
    func refusal(_ document: JSONValue) async -> String? {
      do throws(ControlError) { _ = try await other.director.restore(document, isTrial: false) } catch {
        return error.message
      }
      return nil
    }
    let newer = setting(["format": 2, "novelty": true], in: backup)
    #expect(await refusal(newer)?.contains("has format 2 of Placard") == true)
    #expect(await refusal(newer)?.contains("update Placard on this machine first") == true)
    #expect(await refusal(["kind": "banner"])?.contains("not a backup") == true)
    let damaged = setting(["records": []], in: backup)
    #expect(await refusal(damaged)?.contains("its checksum is not that of its content") == true)
    // A record that cannot be read, with a right checksum.
    let broken = Backup(
      version: "0", host: nil, made: Timestamp(milliseconds: 0),
      records: [Backup.Record(kind: "session", key: "1", json: "{}")], images: [])
    #expect(await refusal(try document(broken))?.contains("the session 1 cannot be read") == true)
    #expect(try await other.director.backup().records == before)
  }

  @Test func `images get the paths of the machine on which they are restored`() async throws {
    let image = ImageReport(
      name: "9f86d081884c7d65.png", path: "/here/9f86d081884c7d65.png", type: .png, width: 1, height: 1, bytes: 1,
      added: Timestamp(milliseconds: 0))
    let harness = Harness(pictures: OneImage(image: image))
    await harness.start()
    let scene = Scene(.image(ImagePanel(path: "/other/machine/\(image.name)")))
    let record = try #require(
      SessionModel.changes(
        from: SessionModel(),
        to: {
          var store = SessionModel()
          store.open(scene, on: "Virtual-1", at: 1)
          return store
        }()
      ).compactMap { change -> Record? in
        guard case .put(let record) = change, record.kind == "session" else { return nil }
        return record
      }.first)
    let backup = Backup(
      version: "0", host: nil, made: Timestamp(milliseconds: 0),
      records: [Backup.Record(kind: record.kind, key: record.key, json: record.json)],
      images: [
        Backup.Image(name: image.name, path: "/other/machine/\(image.name)"), Backup.Image(name: "no.png", path: "/n"),
      ])
    let report = try await harness.director.restore(try document(backup), isTrial: false)
    #expect(report.missingImages == ["no.png"])
    #expect(await harness.director.sessions().compactMap(\.scene).first?["path"]?.text == image.path)
  }
}

/// A folder with one image.
private struct OneImage: PictureFolder {
  let image: ImageReport

  func all() async throws(ControlError) -> [ImageReport] { [image] }
  func bytes(of name: String) async throws(ControlError) -> [UInt8] { [] }
  func add(_ bytes: [UInt8], file: String?) async throws(ControlError) -> ImageReport { image }
  func remove(_ name: String) async throws(ControlError) {}
}
