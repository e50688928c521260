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

/// Images on a share that does not respond.
@Suite(.timeLimit(.minutes(10)))
struct HangingPictureTests {
  /// A green image whose file opens once the share responds.
  private final class Share: Sendable {
    /// An element for each attempt to open the image.
    let attempts: AsyncStream<Void>
    private let attempt: AsyncStream<Void>.Continuation
    private let ends: (read: CInt, write: CInt)
    private let file: CInt

    init() throws {
      var pipe: [CInt] = [0, 0]
      try #require(unsafe Glibc.pipe(&pipe) == 0)
      ends = (pipe[0], pipe[1])
      (attempts, attempt) = AsyncStream.makeStream(of: Void.self)
      var name = Array("/tmp/placard-share-XXXXXX".utf8CString)
      file = unsafe mkstemp(&name)
      unsafe unlink(name)
      let bytes = try RGBImage(size: Size(8, 6), rgb: Array(repeating: [0, 255, 0], count: 48).flatMap { $0 }).png()
      try #require(unsafe write(file, bytes, bytes.count) == bytes.count)
    }

    deinit { for descriptor in [ends.read, ends.write, file] { close(descriptor) } }

    /// Lets the share respond from now on.
    func answer() {
      #expect(unsafe write(ends.write, [UInt8](repeating: 0, count: 64), 64) == 64)
      attempt.finish()
    }

    func loader(_ patience: Duration) -> ImageLoader {
      let reader = ImageReader(ImageFolders(["/share"])) { [self] _, _ throws(ImageError) in
        attempt.yield()
        var byte: UInt8 = 0
        unsafe _ = read(ends.read, &byte, 1)
        return dup(file)
      }
      return ImageLoader(reader, patience: patience)
    }
  }

  private static let image = Scene(.image(ImagePanel(path: "/share/green.png", fit: .stretch))).document
  private static let green: UInt32 = 0x00FF00

  private func isGreen(_ harness: Harness, _ display: String) -> Bool {
    harness.card.scanout(display)?.pixels.allSatisfy { $0 & 0xFF_FFFF == Self.green } ?? false
  }

  @Test func `the first frame is laid out while its buffer is being allocated`() async throws {
    let share = try Share()
    let harness = Harness(
      Settings(), loader: share.loader(.seconds(3600)),
      greeting: Scene(.image(ImagePanel(path: "/share/green.png", fit: .stretch)))
    )
    await harness.start()
    // The allocation ends only after the layout has asked for the image.
    harness.card.during(.allocate) { for await _ in share.attempts { share.answer() } }
    try await harness.plug(320, 240)
    await harness.waitWhile { !isGreen(harness, "Virtual-1") }
    await harness.director.close()
  }

  @Test func `a display whose image hangs keeps its frame, and others of its render thread continue`() async throws {
    let share = try Share()
    // This test does not reach the time limit.
    let harness = Harness(loader: share.loader(.seconds(3600)))
    await harness.start()
    try await harness.plug(320, 240)
    try await harness.plug(160, 120)
    let before = harness.card.scanout("Virtual-1")?.pixels
    _ = try await harness.director.open(OpenRequest(scene: Self.image, display: "Virtual-1"))
    for number in 1...5 {
      let report = try await harness.show("Message \(number)", on: "Virtual-2")
      #expect(report.shown.count == 1)
    }
    #expect(harness.card.scanout("Virtual-1")?.pixels == before)
    #expect(await harness.director.health().state == .ok)
    share.answer()
    await harness.waitWhile { !isGreen(harness, "Virtual-1") }
    await harness.director.close()
  }

  @Test func `a picture of a scene is drawn without an image that hangs, and with it once it is read`() async throws {
    let share = try Share()
    let harness = Harness(loader: share.loader(.seconds(3600)))
    await harness.start()
    let request = RenderRequest(scene: Self.image, width: 64, height: 64)
    func pixels() async throws -> [UInt8] { try RGBImage(pngBytes: try await harness.director.render(request)).pixels }
    #expect(try await pixels().prefix(3) != [0, 255, 0])
    share.answer()
    var last = try await pixels()
    // A picture that was asked for before the file was open does not show it.
    if last.prefix(3) != [0, 255, 0] { last = try await pixels() }
    #expect(Set(stride(from: 0, to: last.count, by: 3).map { Array(last[$0..<$0 + 3]) }) == [[0, 255, 0]])
    await harness.director.close()
  }

  @Test func `a request that does not wait is answered with a warning that names the image`() async throws {
    let share = try Share()
    let harness = Harness(loader: share.loader(.seconds(3600)))
    await harness.start()
    for _ in 0..<3 { try await harness.plug(160, 120) }
    let request = MessageRequest(scene: Self.image)
    let report = try await harness.director.setMessage(request)
    let words = "the image /share/green.png was not read within 1 s; check the disk or share it is on"
    #expect(report.warnings == (1...3).map { "Virtual-\($0): \(words)" })
    share.answer()
    for display in 1...3 { await harness.waitWhile { !isGreen(harness, "Virtual-\(display)") } }
    await harness.director.close()
  }

  @Test func `a late image is reported, and painted once it is read`() async throws {
    let share = try Share()
    let harness = Harness(loader: share.loader(.milliseconds(100)))
    await harness.start()
    try await harness.plug(320, 240)
    _ = try await harness.director.open(OpenRequest(scene: Self.image, display: "Virtual-1"))
    let words = "the image /share/green.png was not read within 0 s; check the disk or share it is on"
    await harness.wait { await harness.display("Virtual-1")?.warnings == [words] }
    #expect(!isGreen(harness, "Virtual-1"))
    // Painting the same scene again does not wait, and does not forget the pending image.
    let request = MessageRequest(text: "Over it", display: "Virtual-1", wait: true)
    let message = try #require(try await harness.director.post(request).id)
    try await harness.director.withdraw(message)
    await harness.wait { await harness.display("Virtual-1")?.warnings == [words] }
    share.answer()
    await harness.waitWhile { !isGreen(harness, "Virtual-1") }
    await harness.wait { await harness.display("Virtual-1")?.warnings == [] }
    await harness.director.close()
  }

  @Test func `a display that is unplugged while its image hangs leaks no buffer`() async throws {
    let share = try Share()
    let harness = Harness(loader: share.loader(.seconds(3600)))
    await harness.start()
    try await harness.plug(320, 240)
    _ = try await harness.director.open(OpenRequest(scene: Self.image, display: "Virtual-1"))
    try await harness.director.unplug("Virtual-1")
    #expect(await harness.display("Virtual-1")?.state != .lit)
    await harness.director.close()
    share.answer()
    await harness.waitWhile { harness.card.liveBuffers > 0 }
  }

  @Test func `the health reports a painter without progress, with its displays`() async throws {
    let time = Mutex<UInt64>(1_000_000_000_000)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    defer { group.shutdownGracefully { _ in } }
    let renderLoop = group.next()
    let harness = Harness(now: { time.withLock { $0 } }, loop: group.next(), renderLoops: [renderLoop])
    await harness.start()
    try await harness.plug(320, 240)
    let work = await harness.director.painters[0].work
    let (begun, begins) = AsyncStream.makeStream(of: Void.self)
    let gate = Gate()
    renderLoop.execute {
      work.begin()
      begins.yield()
      gate.wait()
      work.end()
    }
    _ = await begun.first { _ in true }
    time.withLock { $0 += 4_000_000_000 }
    #expect(await harness.director.health().state == .ok)
    time.withLock { $0 += 3_000_000_000 }
    let health = await harness.director.health()
    #expect(health.state == .degraded)
    #expect(health.reasons == ["Virtual-1: painting has made no progress for 7 s; restart the service if that goes on"])
    gate.open()
    try await renderLoop.submit {}.get()
    #expect(await harness.director.health().state == .ok)
  }

  /// A gate that blocks a thread until it is opened.
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
