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
    do throws(ControlError) { try await rig.director.removeImage(name) } catch { return error }
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
    let scene = Scene(.now(NowPlaying(title: "x", image: "/srv/\(name)")))
    let rig = Rig(Settings(roles: [.external: DisplayRequests(scene: scene)]), pictures: NamedPictures())
    await rig.start()
    try await rig.plug(320, 240)
    #expect(await refusal(rig)?.message.contains("settings show it on Virtual-1") == true)
    await rig.director.apply(Settings())
    var countdown = Countdown(to: .epoch)
    countdown.then = scene
    _ = try await rig.director.post(MessageRequest(scene: Scene(.countdown(countdown)).document))
    #expect(await refusal(rig)?.message.contains("message 1") == true)
  }

  @Test func `a picture is removed by the name of its file, unless two have that name`() async throws {
    let folder = LabelledPictures(["poster.png", "twice.png", "twice.png"])
    let rig = Rig(pictures: folder)
    await rig.start()
    #expect(try await rig.director.image("poster.png") == Array("0000000000000000.png".utf8))
    try await rig.director.removeImage("poster.png")
    let twice = ControlError(
      .conflict,
      "2 pictures were uploaded as twice.png; name one of 0000000000000001.png, 0000000000000002.png")
    await #expect(throws: twice) { try await rig.director.removeImage("twice.png") }
    try await rig.director.removeImage("0000000000000002.png")
    try await rig.director.removeImage("twice.png")
    #expect(folder.removed == ["0000000000000000.png", "0000000000000002.png", "0000000000000001.png"])
  }

  @Test func `without a place for them there are none`() async throws {
    let rig = Rig()
    await rig.start()
    let error = await #expect(throws: ControlError.self) { try await rig.director.images() }
    #expect(error?.kind == .conflict)
  }
}

/// One picture, by its name alone.
private final class NamedPictures: PictureFolder {
  private let isThere = Mutex(true)

  func all() async throws(ControlError) -> [ImageReport] { [] }
  func bytes(of name: String) async throws(ControlError) -> [UInt8] { [] }
  func add(_ bytes: [UInt8], file: String?) async throws(ControlError) -> ImageReport {
    throw ControlError(.failed, "no")
  }

  func remove(_ name: String) async throws(ControlError) {
    let wasThere = isThere.withLock { isThere in
      defer { isThere = false }
      return isThere
    }
    if !wasThere { throw ControlError(.notFound, "no") }
  }
}

/// Pictures that were uploaded as files of these names.
private final class LabelledPictures: PictureFolder {
  private let kept: Mutex<[(name: String, file: String)]>
  private let gone = Mutex<[String]>([])

  init(_ files: [String]) { kept = Mutex(files.enumerated().map { ("000000000000000\($0).png", $1) }) }

  /// The names of the pictures that were removed, in order.
  var removed: [String] { gone.withLock { $0 } }

  func all() async throws(ControlError) -> [ImageReport] {
    kept.withLock { $0 }.map { name, file in
      ImageReport(
        name: name, file: file, path: "/p/\(name)", type: "image/png", width: 1, height: 1, bytes: 1,
        added: Timestamp(milliseconds: 0))
    }
  }

  func bytes(of name: String) async throws(ControlError) -> [UInt8] { Array(name.utf8) }

  func add(_ bytes: [UInt8], file: String?) async throws(ControlError) -> ImageReport {
    throw ControlError(.failed, "no")
  }

  func remove(_ name: String) async throws(ControlError) {
    kept.withLock { $0.removeAll { $0.name == name } }
    gone.withLock { $0.append(name) }
  }
}
