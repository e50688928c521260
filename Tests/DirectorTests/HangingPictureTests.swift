import Configuration
import Control
import Geometry
import Glibc
import NIOCore
import NIOPosix
import Pictures
import Scenes
import Synchronization
import Testing
import VirtualDisplays

@testable import Director

/// Pictures on a share that does not answer.
@Suite(.timeLimit(.minutes(2)))
struct HangingPictureTests {
  /// A green picture whose file opens when that is let through.
  private final class Share: Sendable {
    private let ends: (read: CInt, write: CInt)
    private let file: CInt

    init() throws {
      var pipe: [CInt] = [0, 0]
      try #require(unsafe Glibc.pipe(&pipe) == 0)
      ends = (pipe[0], pipe[1])
      var name = Array("/tmp/placard-share-XXXXXX".utf8CString)
      file = unsafe mkstemp(&name)
      unsafe unlink(name)
      let bytes = try RGBImage(size: Size(8, 6), rgb: Array(repeating: [0, 255, 0], count: 48).flatMap { $0 }).png()
      try #require(unsafe write(file, bytes, bytes.count) == bytes.count)
    }

    deinit { for descriptor in [ends.read, ends.write, file] { close(descriptor) } }

    /// Answers from now on.
    func answer() { #expect(unsafe write(ends.write, [UInt8](repeating: 0, count: 64), 64) == 64) }

    func loader(_ patience: Duration) -> ImageLoader {
      let reader = ImageReader(ImageFolders(["/share"])) { [self] _, _ throws(ImageError) in
        var byte: UInt8 = 0
        unsafe _ = read(ends.read, &byte, 1)
        return dup(file)
      }
      return ImageLoader(reader, patience: patience)
    }
  }

  private static let image = Scene(.image(ImagePanel(path: "/share/green.png", fit: .stretch))).document
  private static let green: UInt32 = 0x00FF00

  private func isGreen(_ rig: Rig, _ display: String) -> Bool {
    rig.card.glass(display)?.pixels.allSatisfy { $0 & 0xFF_FFFF == Self.green } ?? false
  }

  @Test func `while a picture does not come, its display keeps its frame and others of the same thread go on`()
    async throws
  {
    let share = try Share()
    // Nothing waits for that in this test.
    let rig = Rig(loader: share.loader(.seconds(3600)))
    await rig.start()
    try await rig.plug(320, 240)
    try await rig.plug(160, 120)
    let before = rig.card.glass("Virtual-1")?.pixels
    _ = try await rig.director.open(OpenRequest(scene: Self.image, display: "Virtual-1"))
    for number in 1...5 {
      let report = try await rig.show("Message \(number)", on: "Virtual-2")
      #expect(report.shown.count == 1)
    }
    #expect(rig.card.glass("Virtual-1")?.pixels == before)
    #expect(await rig.director.health().state == .ok)
    share.answer()
    await rig.waitWhile { !isGreen(rig, "Virtual-1") }
    await rig.director.close()
  }

  @Test func `a request that does not wait is answered within the client's limit, and names the picture`() async throws
  {
    let share = try Share()
    let rig = Rig(loader: share.loader(.seconds(3600)))
    await rig.start()
    for _ in 0..<3 { try await rig.plug(160, 120) }
    let request = MessageRequest(scene: Self.image)
    let report = try await rig.director.setMessage(request)
    let words = "the image /share/green.png was not read within 1 s; check the disk or share it is on"
    #expect(report.warnings == (1...3).map { "Virtual-\($0): \(words)" })
    share.answer()
    for display in 1...3 { await rig.waitWhile { !isGreen(rig, "Virtual-\(display)") } }
    await rig.director.close()
  }

  @Test func `a picture that is late is reported, and painted when it comes`() async throws {
    let share = try Share()
    let rig = Rig(loader: share.loader(.milliseconds(100)))
    await rig.start()
    try await rig.plug(320, 240)
    _ = try await rig.director.open(OpenRequest(scene: Self.image, display: "Virtual-1"))
    let words = "the image /share/green.png was not read within 0 s; check the disk or share it is on"
    await rig.wait { await rig.display("Virtual-1")?.warnings == [words] }
    #expect(!isGreen(rig, "Virtual-1"))
    // Another look at the same scene waits for nothing, and does not forget what is awaited.
    let request = MessageRequest(text: "Over it", display: "Virtual-1", wait: true)
    let message = try #require(try await rig.director.post(request).id)
    try await rig.director.withdraw(message)
    await rig.wait { await rig.display("Virtual-1")?.warnings == [words] }
    share.answer()
    await rig.waitWhile { !isGreen(rig, "Virtual-1") }
    await rig.wait { await rig.display("Virtual-1")?.warnings == [] }
    await rig.director.close()
  }

  @Test func `a display goes while its picture is awaited`() async throws {
    let share = try Share()
    let rig = Rig(loader: share.loader(.seconds(3600)))
    await rig.start()
    try await rig.plug(320, 240)
    _ = try await rig.director.open(OpenRequest(scene: Self.image, display: "Virtual-1"))
    try await rig.director.unplug("Virtual-1")
    #expect(await rig.display("Virtual-1")?.state != "lit")
    await rig.director.close()
    share.answer()
    await rig.waitWhile { rig.card.liveBuffers > 0 }
  }

  @Test func `health reports painting without progress, with the displays`() async throws {
    let time = Mutex<UInt64>(1_000_000_000_000)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    defer { group.shutdownGracefully { _ in } }
    let lane = group.next()
    let rig = Rig(now: { time.withLock { $0 } }, loop: group.next(), lanes: [lane])
    await rig.start()
    try await rig.plug(320, 240)
    let work = await rig.director.painters[0].work
    let (begun, told) = AsyncStream.makeStream(of: Void.self)
    let gate = Gate()
    lane.execute {
      work.begin()
      told.yield()
      gate.wait()
      work.end()
    }
    _ = await begun.first { _ in true }
    time.withLock { $0 += 4_000_000_000 }
    #expect(await rig.director.health().state == .ok)
    time.withLock { $0 += 3_000_000_000 }
    let health = await rig.director.health()
    #expect(health.state == .degraded)
    #expect(health.reasons == ["Virtual-1: painting has made no progress for 7 s; restart the service if that goes on"])
    gate.open()
    try await lane.submit {}.get()
    #expect(await rig.director.health().state == .ok)
  }

  /// Holds a thread up.
  private final class Gate: Sendable {
    private let ends: (read: CInt, write: CInt)

    init() {
      var pipe: [CInt] = [-1, -1]
      unsafe _ = Glibc.pipe(&pipe)
      ends = (pipe[0], pipe[1])
    }

    deinit {
      close(ends.read)
      close(ends.write)
    }

    func wait() {
      var byte: UInt8 = 0
      unsafe _ = read(ends.read, &byte, 1)
    }

    func open() { #expect(unsafe write(ends.write, [0] as [UInt8], 1) == 1) }
  }
}
