import Configuration
import Control
import Geometry
import Pictures
import Scenes
import Testing
import VirtualDisplays
import Waiting

@testable import Director

/// Small pictures of what is on the glass.
struct PreviewTests {
  private func rig(_ settings: Settings = Settings(message: "Hello")) async throws -> Rig {
    let rig = Rig(settings)
    await rig.start()
    try await rig.plug(640, 360)
    await rig.rest()
    return rig
  }

  private func picture(_ preview: Preview) throws -> RGBImage { try RGBImage(pngBytes: try #require(preview.bytes)) }

  @Test func `a preview is a small picture of what is on the glass, and another one when that is another`() async throws
  {
    let rig = try await rig()
    _ = try await rig.director.open(
      OpenRequest(scene: Scene(.pattern(.bars)).document, display: "Virtual-1", wait: true))
    let request = PreviewRequest(width: 160, format: .png)
    let first = try await rig.director.preview("Virtual-1", request)
    let whole = try RGBImage(pngBytes: try await rig.director.screenshot("Virtual-1", ScreenshotRequest()))
    let small = try picture(first)
    #expect(first.type == "image/png" && small.size == Size(160, 90))
    for x in [10, 50, 90, 150] { #expect(small[x, 40] == whole[x * 4 + 2, 162]) }
    _ = try await rig.show("Another", on: "Virtual-1")
    let second = try await rig.director.preview("Virtual-1", request)
    #expect(second.tag != first.tag && second.bytes != first.bytes)
    let jpeg = try await rig.director.preview("Virtual-1", PreviewRequest(width: 160))
    #expect(jpeg.type == "image/jpeg" && jpeg.tag != second.tag)
    #expect(try DecodedImage.decode(try #require(jpeg.bytes)).size == Size(160, 90))
    #expect(jpeg.tag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
  }

  @Test(arguments: [90, 180, 270]) func `a screenshot of a rotated display is upright, or as it is scanned out`(
    degrees: Int
  ) async throws {
    let rig = try await rig()
    let scene = Scene(.pattern(.bars)).document
    _ = try await rig.director.open(OpenRequest(scene: scene, display: "Virtual-1", wait: true))
    let rotation = try #require(Rotation(rawValue: degrees))
    _ = try await rig.director.setMode("Virtual-1", ModeRequest(rotation: degrees))
    _ = try await rig.director.open(
      OpenRequest(scene: Scene(.pattern(.grid)).document, display: "Virtual-1", wait: true))
    let upright = try RGBImage(pngBytes: try await rig.director.screenshot("Virtual-1", ScreenshotRequest()))
    let turned = ScreenshotRequest(isAsScannedOut: true)
    let scannedOut = try RGBImage(pngBytes: try await rig.director.screenshot("Virtual-1", turned))
    #expect(upright.size == rotation.turn(scannedOut.size))
    #expect(try upright.turned(rotation) == scannedOut)
    #expect(upright != scannedOut)
    let preview = try await rig.director.preview("Virtual-1", PreviewRequest(width: 160, format: .png))
    let height = (upright.size.height * 160 + upright.size.width / 2) / upright.size.width
    #expect(try picture(preview).size == Size(160, height))
  }

  @Test(.timeLimit(.minutes(1))) func `the whole of a tall display is read without being copied for each part`()
    async throws
  {
    let rig = Rig(Settings(message: "Hello"))
    await rig.start()
    try await rig.plug(800, 16383)
    await rig.rest()
    let preview = try await rig.director.preview("Virtual-1", PreviewRequest(width: 800))
    #expect(try DecodedImage.decode(try #require(preview.bytes)).size == Size(800, 16383))
  }

  @Test func `what is known already is not made again, and what nobody changed is kept`() async throws {
    let rig = try await rig()
    let first = try await rig.director.preview("Virtual-1", PreviewRequest(width: 160))
    let again = try await rig.director.preview("Virtual-1", PreviewRequest(width: 160, known: first.tag))
    #expect(again == Preview(tag: first.tag, type: "image/jpeg", bytes: nil))
    let gate = AsyncStream.makeStream(of: Void.self)
    async let busy: Void = rig.director.occupyPreviews(until: gate.stream)
    #expect(try await rig.director.preview("Virtual-1", PreviewRequest(width: 160)) == first, "nothing is read for it")
    gate.continuation.finish()
    await busy
    // The same text again is the same picture: no flip, and no other preview.
    _ = try await rig.show("Hello")
    #expect(try await rig.director.preview("Virtual-1", PreviewRequest(width: 160, known: first.tag)).bytes == nil)
  }

  @Test func `several who ask for the same get one work`() async throws {
    let rig = try await rig()
    let gate = AsyncStream.makeStream(of: Void.self)
    async let busy: Void = rig.director.occupyPreviews(until: gate.stream)
    await rig.waitWhile { director in !director.arePreviewsBusy }
    let asked = Counter()
    let previews = (0..<8).map { number in
      Task {
        _ = asked.next()
        return try await rig.director.preview("Virtual-1", PreviewRequest(width: number == 7 ? 100 : 160))
      }
    }
    await rig.waitWhile { director in director.previewWorks("Virtual-1") < 2 }
    await rig.turns.flush()
    #expect(await rig.director.previewWorks("Virtual-1") == 2)
    gate.continuation.finish()
    var tags: Set<String> = []
    for task in previews { tags.insert(try await task.value.tag) }
    await busy
    #expect(tags.count == 2)
    #expect(await rig.director.previewWorks("Virtual-1") == 0)
  }

  @Test func `who asks after a flip never gets the picture before it, though others wait for that one`() async throws {
    let rig = try await rig()
    for number in 1...40 {
      async let early = rig.director.preview("Virtual-1", PreviewRequest(width: 64, format: .png))
      _ = try await rig.show("Number \(number)", on: "Virtual-1")
      let late = try await rig.director.preview("Virtual-1", PreviewRequest(width: 64, format: .png))
      let resting = try await rig.director.preview("Virtual-1", PreviewRequest(width: 64, format: .png))
      #expect(late == resting)
      _ = try await early
    }
  }

  @Test func `a panel that hangs on its side is seen upright`() async throws {
    let flat = try await rig()
    let turned = Rig(Settings(message: "Hello", rotation: .quarter))
    await turned.start()
    try await turned.plug(360, 640)
    await turned.rest()
    let request = PreviewRequest(width: 640, format: .png)
    let one = try await flat.director.preview("Virtual-1", request)
    let other = try await turned.director.preview("Virtual-1", request)
    #expect(try picture(other).size == Size(640, 360))
    #expect(try picture(one) == picture(other))
  }

  @Test func `there is none of a display that sleeps, is dark or unknown, nor of any width`() async throws {
    let rig = try await rig()
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    let asleep = await #expect(throws: ControlError.self) {
      try await rig.director.preview("Virtual-1", PreviewRequest())
    }
    #expect(asleep?.kind == .conflict && asleep?.message.contains("placard wake Virtual-1") == true)
    try await rig.director.unplug("Virtual-1")
    for (name, kind) in [("Virtual-1", ControlError.Kind.conflict), ("HDMI-A-9", .notFound)] {
      let error = await #expect(throws: ControlError.self) { try await rig.director.preview(name, PreviewRequest()) }
      #expect(error?.kind == kind)
    }
    for width in [15, 1921] {
      let error = await #expect(throws: ControlError.self) {
        try await rig.director.preview("Virtual-1", PreviewRequest(width: width))
      }
      #expect(error?.kind == .invalid)
    }
  }

  @Test func `what is kept is bounded`() {
    let shelf = PreviewShelf()
    let glass = PreviewShelf.Glass(surface: 1, serial: 1)
    for width in 16..<100 {
      let preview = Preview(tag: "\(width)", type: "image/png", bytes: [UInt8](repeating: 0, count: 1 << 20))
      shelf.keep(.init(glass: glass, preview: preview), as: .init(width: width, format: .png))
      #expect(shelf.preview(.init(width: width, format: .png), of: glass) == preview)
    }
    let kept = (16..<100).filter { shelf.preview(.init(width: $0, format: .png), of: glass) != nil }
    #expect(kept.count <= 2)
    let huge = Preview(tag: "huge", type: "image/png", bytes: [UInt8](repeating: 0, count: 3 << 20))
    shelf.keep(.init(glass: glass, preview: huge), as: .init(width: 16, format: .png))
    #expect(shelf.preview(.init(width: 16, format: .png), of: glass) == nil)
  }
}

extension Director {
  /// How many previews of a display are being made.
  fileprivate func previewWorks(_ display: String) -> Int { output(display)?.1.previews.work.count ?? 0 }

  fileprivate var arePreviewsBusy: Bool { previewTurn.isTaken }

  /// Lets no preview be read until the stream ends.
  fileprivate func occupyPreviews(until stream: AsyncStream<Void>) async {
    await previewTurn.take { for await _ in stream {} }
  }
}
