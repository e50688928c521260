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

/// Uploaded images and the scenes that use them.
struct PictureUseTests {
  private let name = "9f86d081884c7d65.png"

  private func refusal(_ harness: Harness) async -> ControlError? {
    do throws(ControlError) { try await harness.director.removeImage(name) } catch { return error }
    return nil
  }

  @Test func `an image in use is not removed, and the refusal names the session or message`() async throws {
    let harness = Harness(pictures: NamedPictures())
    await harness.start()
    try await harness.plug(320, 240)
    let image = Scene(.image(ImagePanel(path: "/srv/\(name)"))).document
    let session = try await harness.director.open(OpenRequest(scene: image, display: "Virtual-1"))
    let id = try #require(session.id)
    #expect(
      await refusal(harness)?.message == "\(name) is in use: session \(id) shows it; `placard close \(id)` ends that")
    let page = Scene(.markdown(MarkdownText("![a](\(name))"))).document
    let message = try #require(try await harness.director.post(MessageRequest(scene: page)).id)
    try await harness.director.close(id)
    #expect(await refusal(harness)?.message.contains("placard withdraw \(message)") == true)
    try await harness.director.withdraw(message)
    let card = Card(id: "a", content: "See \(name)")
    let board = Scene(.board(Board(columns: [Board.Column(cards: [card])])))
    _ = try await harness.director.setBoard(SceneEdit(scene: board.document))
    #expect(await refusal(harness)?.kind == .conflict)
    _ = try await harness.director.setBoard(SceneEdit(scene: ["kind": "board", "columns": []]))
    _ = try await harness.director.setEntry("poster", LibraryRequest(scene: image), expecting: nil)
    #expect(
      await refusal(harness)?.message
        == "\(name) is in use: the library entry poster shows it; change or remove the entry first")
    try await harness.director.removeEntry("poster")
    #expect(await refusal(harness) == nil)
    #expect(await refusal(harness)?.kind == .notFound, "the image was removed")
  }

  @Test func `an image in the settings or in the scene after a countdown is in use`() async throws {
    let scene = Scene(.now(NowPlaying(title: "x", image: "/srv/\(name)")))
    let harness = Harness(Settings(roles: [.external: DisplayRequests(scene: scene)]), pictures: NamedPictures())
    await harness.start()
    try await harness.plug(320, 240)
    #expect(await refusal(harness)?.message.contains("settings show it on Virtual-1") == true)
    await harness.director.apply(Settings())
    var countdown = Countdown(to: .epoch)
    countdown.then = scene
    _ = try await harness.director.post(MessageRequest(scene: Scene(.countdown(countdown)).document))
    #expect(await refusal(harness)?.message.contains("message 1") == true)
  }

  @Test func `an image is removed by its file name, unless two images have that name`() async throws {
    let folder = LabelledPictures(["poster.png", "twice.png", "twice.png"])
    let harness = Harness(pictures: folder)
    await harness.start()
    #expect(try await harness.director.image("poster.png") == Array("0000000000000000.png".utf8))
    try await harness.director.removeImage("poster.png")
    let twice = ControlError(
      .conflict,
      "2 pictures were uploaded as twice.png; name one of 0000000000000001.png, 0000000000000002.png")
    await #expect(throws: twice) { try await harness.director.removeImage("twice.png") }
    try await harness.director.removeImage("0000000000000002.png")
    try await harness.director.removeImage("twice.png")
    #expect(folder.removed == ["0000000000000000.png", "0000000000000002.png", "0000000000000001.png"])
  }

  @Test func `a request for images is refused if there is no image folder`() async throws {
    let harness = Harness()
    await harness.start()
    let error = await #expect(throws: ControlError.self) { try await harness.director.images() }
    #expect(error?.kind == .conflict)
  }
}

/// A folder with one image of any name.
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

/// A folder with images that were uploaded from files with certain names.
private final class LabelledPictures: PictureFolder {
  private let kept: Mutex<[(name: String, file: String)]>
  private let gone = Mutex<[String]>([])

  init(_ files: [String]) { kept = Mutex(files.enumerated().map { ("000000000000000\($0).png", $1) }) }

  /// The names of the removed images, in order.
  var removed: [String] { gone.withLock { $0 } }

  func all() async throws(ControlError) -> [ImageReport] {
    kept.withLock { $0 }.map { name, file in
      ImageReport(
        name: name, file: file, path: "/p/\(name)", type: .png, width: 1, height: 1, bytes: 1,
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
