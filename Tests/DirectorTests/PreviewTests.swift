import Configuration
import Control
import Geometry
import Pictures
import Scenes
import Testing
import VirtualDisplays
import Waiting

@testable import Director

/// Previews: reduced images of the frames on screen.
struct PreviewTests {
  private func harness(_ settings: Settings = Settings(message: "Hello")) async throws -> Harness {
    let harness = Harness(settings)
    await harness.start()
    try await harness.plug(640, 360)
    await harness.rest()
    return harness
  }

  private func image(_ preview: Preview) throws -> RGBImage { try RGBImage(pngBytes: try #require(preview.bytes)) }

  @Test func `a preview is a reduced image of the frame on screen, and changes with the frame`() async throws {
    let harness = try await harness()
    _ = try await harness.director.open(
      OpenRequest(scene: Scene(.pattern(.bars)).document, display: "Virtual-1", wait: true))
    let request = PreviewRequest(width: 160, format: .png)
    let first = try await harness.director.preview("Virtual-1", request)
    let whole = try RGBImage(pngBytes: try await harness.director.screenshot("Virtual-1", ScreenshotRequest()))
    let small = try image(first)
    #expect(first.type == "image/png" && small.size == Size(160, 90))
    for x in [10, 50, 90, 150] { #expect(small[x, 40] == whole[x * 4 + 2, 162]) }
    _ = try await harness.show("Another", on: "Virtual-1")
    let second = try await harness.director.preview("Virtual-1", request)
    #expect(second.tag != first.tag && second.bytes != first.bytes)
    let jpeg = try await harness.director.preview("Virtual-1", PreviewRequest(width: 160))
    #expect(jpeg.type == "image/jpeg" && jpeg.tag != second.tag)
    #expect(try DecodedImage.decode(try #require(jpeg.bytes)).size == Size(160, 90))
    #expect(jpeg.tag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
  }

  @Test(arguments: [90, 180, 270]) func `a screenshot of a rotated display is upright, or as it is scanned out`(
    degrees: Int
  ) async throws {
    let harness = try await harness()
    let scene = Scene(.pattern(.bars)).document
    _ = try await harness.director.open(OpenRequest(scene: scene, display: "Virtual-1", wait: true))
    let rotation = try #require(Rotation(rawValue: degrees))
    _ = try await harness.director.setMode("Virtual-1", ModeRequest(rotation: degrees))
    _ = try await harness.director.open(
      OpenRequest(scene: Scene(.pattern(.grid)).document, display: "Virtual-1", wait: true))
    let upright = try RGBImage(pngBytes: try await harness.director.screenshot("Virtual-1", ScreenshotRequest()))
    let turned = ScreenshotRequest(isAsScannedOut: true)
    let scannedOut = try RGBImage(pngBytes: try await harness.director.screenshot("Virtual-1", turned))
    #expect(upright.size == rotation.turn(scannedOut.size))
    #expect(try upright.turned(rotation) == scannedOut)
    #expect(upright != scannedOut)
    let preview = try await harness.director.preview("Virtual-1", PreviewRequest(width: 160, format: .png))
    let height = (upright.size.height * 160 + upright.size.width / 2) / upright.size.width
    #expect(try image(preview).size == Size(160, height))
  }

  @Test(.timeLimit(.minutes(10))) func `a preview of a display 16383 pixels high is made within the time limit`()
    async throws
  {
    let harness = Harness(Settings(message: "Hello"))
    await harness.start()
    try await harness.plug(800, 16383)
    await harness.rest()
    let preview = try await harness.director.preview("Virtual-1", PreviewRequest(width: 800))
    #expect(try DecodedImage.decode(try #require(preview.bytes)).size == Size(800, 16383))
  }

  @Test func `a preview that the client or the cache has is not made again`() async throws {
    let harness = try await harness()
    let first = try await harness.director.preview("Virtual-1", PreviewRequest(width: 160))
    let again = try await harness.director.preview("Virtual-1", PreviewRequest(width: 160, known: first.tag))
    #expect(again == Preview(tag: first.tag, type: "image/jpeg", bytes: nil))
    let gate = AsyncStream.makeStream(of: Void.self)
    async let busy: Void = harness.director.occupyPreviews(until: gate.stream)
    #expect(try await harness.director.preview("Virtual-1", PreviewRequest(width: 160)) == first, "the cache answers")
    gate.continuation.finish()
    await busy
    // The same text gives the same frame, without a flip and with the same preview.
    _ = try await harness.show("Hello")
    #expect(try await harness.director.preview("Virtual-1", PreviewRequest(width: 160, known: first.tag)).bytes == nil)
  }

  @Test func `concurrent requests for the same preview share one job`() async throws {
    let harness = try await harness()
    let gate = AsyncStream.makeStream(of: Void.self)
    async let busy: Void = harness.director.occupyPreviews(until: gate.stream)
    await harness.waitWhile { director in !director.arePreviewsBusy }
    let asked = Counter()
    let previews = (0..<8).map { number in
      Task {
        _ = asked.next()
        return try await harness.director.preview("Virtual-1", PreviewRequest(width: number == 7 ? 100 : 160))
      }
    }
    await harness.waitWhile { director in director.previewJobs("Virtual-1") < 2 }
    await harness.turns.flush()
    #expect(await harness.director.previewJobs("Virtual-1") == 2)
    gate.continuation.finish()
    var tags: Set<String> = []
    for task in previews { tags.insert(try await task.value.tag) }
    await busy
    #expect(tags.count == 2)
    #expect(await harness.director.previewJobs("Virtual-1") == 0)
  }

  @Test func `a preview requested after a flip is never of the frame before it`() async throws {
    let harness = try await harness()
    for number in 1...40 {
      async let early = harness.director.preview("Virtual-1", PreviewRequest(width: 64, format: .png))
      _ = try await harness.show("Number \(number)", on: "Virtual-1")
      let late = try await harness.director.preview("Virtual-1", PreviewRequest(width: 64, format: .png))
      let resting = try await harness.director.preview("Virtual-1", PreviewRequest(width: 64, format: .png))
      #expect(late == resting)
      _ = try await early
    }
  }

  @Test func `the preview of a rotated panel is upright`() async throws {
    let flat = try await harness()
    let turned = Harness(Settings(message: "Hello", rotation: .quarter))
    await turned.start()
    try await turned.plug(360, 640)
    await turned.rest()
    let request = PreviewRequest(width: 640, format: .png)
    let one = try await flat.director.preview("Virtual-1", request)
    let other = try await turned.director.preview("Virtual-1", request)
    #expect(try image(other).size == Size(640, 360))
    #expect(try image(one) == image(other))
  }

  @Test func `previews of sleeping, unplugged or unknown displays and of invalid widths are refused`() async throws {
    let harness = try await harness()
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    let asleep = await #expect(throws: ControlError.self) {
      try await harness.director.preview("Virtual-1", PreviewRequest())
    }
    #expect(asleep?.kind == .conflict && asleep?.message.contains("placard wake Virtual-1") == true)
    try await harness.director.unplug("Virtual-1")
    for (name, kind) in [("Virtual-1", ControlError.Kind.conflict), ("HDMI-A-9", .notFound)] {
      let error = await #expect(throws: ControlError.self) {
        try await harness.director.preview(name, PreviewRequest())
      }
      #expect(error?.kind == kind)
    }
    for width in [15, 1921] {
      let error = await #expect(throws: ControlError.self) {
        try await harness.director.preview("Virtual-1", PreviewRequest(width: width))
      }
      #expect(error?.kind == .invalid)
    }
  }

  @Test func `the preview cache has a limit in bytes`() {
    let cache = PreviewCache()
    let frame = PreviewCache.FrameID(surface: 1, serial: 1)
    for width in 16..<100 {
      let preview = Preview(tag: "\(width)", type: "image/png", bytes: [UInt8](repeating: 0, count: 1 << 20))
      cache.keep(.init(frame: frame, preview: preview), as: .init(width: width, format: .png))
      #expect(cache.preview(.init(width: width, format: .png), of: frame) == preview)
    }
    let kept = (16..<100).filter { cache.preview(.init(width: $0, format: .png), of: frame) != nil }
    #expect(kept.count <= 2)
    let huge = Preview(tag: "huge", type: "image/png", bytes: [UInt8](repeating: 0, count: 3 << 20))
    cache.keep(.init(frame: frame, preview: huge), as: .init(width: 16, format: .png))
    #expect(cache.preview(.init(width: 16, format: .png), of: frame) == nil)
  }
}

extension Director {
  /// Returns the number of previews of a display that are being made.
  fileprivate func previewJobs(_ display: String) -> Int {
    core.output(named: display).flatMap { handles[$0.id] }?.previews.work.count ?? 0
  }

  fileprivate var arePreviewsBusy: Bool { previewMutex.isTaken }

  /// Blocks all previews until the stream ends.
  fileprivate func occupyPreviews(until stream: AsyncStream<Void>) async {
    await previewMutex.run { for await _ in stream {} }
  }
}
