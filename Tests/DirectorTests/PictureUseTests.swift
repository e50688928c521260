import Calendars
import Configuration
import Control
import Director
import Displays
import JSON
import NIOCore
import NIOPosix
import Scenes
import Synchronization
import Testing
import VirtualDisplays

/// Uploaded pictures and what shows them.
struct PictureUseTests {
  private let name = "9f86d081884c7d65.png"

  private func refusal(_ rig: Rig) async -> ControlError? {
    do throws(ControlError) { try await rig.director.removePicture(name) } catch { return error }
    return nil
  }

  @Test func `a picture is not removed while something shows it, and the refusal says what`() async throws {
    let rig = Rig(pictures: NamedPictures())
    await rig.start()
    try await rig.plug(320, 240)
    let image = Scene(.image(ImagePanel(path: "/srv/\(name)"))).document
    let session = try await rig.director.open(OpenRequest(scene: image, display: "Virtual-1"))
    let id = try #require(session.id)
    #expect(await refusal(rig)?.message == "\(name) is in use: session \(id) shows it; `placard close \(id)` ends that")
    let page = Scene(.markdown(MarkdownText("![a](\(name))"))).document
    let message = try #require(try await rig.director.post(MessageRequest(scene: page)).id)
    try await rig.director.close(id)
    #expect(await refusal(rig)?.message.contains("placard withdraw \(message)") == true)
    try await rig.director.withdraw(message)
    let card = Card(id: "a", content: "See \(name)")
    let board = Scene(.board(Board(columns: [Board.Column(cards: [card])])))
    _ = try await rig.director.setBoard(SceneEdit(scene: board.document))
    #expect(await refusal(rig)?.kind == .conflict)
    _ = try await rig.director.setBoard(SceneEdit(scene: ["kind": "board", "columns": []]))
    #expect(await refusal(rig) == nil)
    #expect(await refusal(rig)?.kind == .notFound, "it is removed")
  }

  @Test func `the settings count, and scenes that come later`() async throws {
    let scene = Scene(.now(NowPlaying(title: "x", picture: "/srv/\(name)")))
    let rig = Rig(Settings(roles: [.external: DisplayWishes(scene: scene)]), pictures: NamedPictures())
    await rig.start()
    try await rig.plug(320, 240)
    #expect(await refusal(rig)?.message.contains("settings show it on Virtual-1") == true)
    await rig.director.apply(Settings())
    var countdown = Countdown(to: .epoch)
    countdown.then = scene
    _ = try await rig.director.post(MessageRequest(scene: Scene(.countdown(countdown)).document))
    #expect(await refusal(rig)?.message.contains("message 1") == true)
  }

  @Test func `without a place for them there are none`() async throws {
    let rig = Rig()
    await rig.start()
    let error = await #expect(throws: ControlError.self) { try await rig.director.pictures() }
    #expect(error?.kind == .conflict)
  }
}

/// One picture, by its name alone.
private final class NamedPictures: PictureFolder {
  private let isThere = Mutex(true)

  func all() async throws(ControlError) -> [PictureReport] { [] }
  func bytes(of name: String) async throws(ControlError) -> [UInt8] { [] }
  func add(_ bytes: [UInt8]) async throws(ControlError) -> PictureReport { throw ControlError(.failed, "no") }

  func remove(_ name: String) async throws(ControlError) {
    let wasThere = isThere.withLock { isThere in
      defer { isThere = false }
      return isThere
    }
    if !wasThere { throw ControlError(.notFound, "no") }
  }
}
