import Configuration
import Control
import Displays
import Geometry
import Layout
import Raster
import Scenes
import Testing
import Typesetting
import VirtualDisplays
import Waiting

@testable import Director

/// Scroll animations of Markdown: each frame equals the still frame of its row.
@Suite(.timeLimit(.minutes(10)))
struct GlidingTests {
  private static let text = (1...9).map { part in
    """
    ## Part \(part) of `ÅjÇ|q`

    Something to *read*, on more than a line of this display, with `code` that hangs ~~over~~ its box, and **letters**.

    - [x] One
    - [ ] Two

    > Somebody said so.

    ```
    let ground = "behind"
    ```

    | Time | Room |
    |------|-----:|
    | 9    |  101 |
    """
  }.joined(separator: "\n\n")

  private static func scene(_ text: String = text) -> Scene { Scene(.markdown(MarkdownText(text, flow: .scroll))) }

  /// A text on a display with vertical blanks, and the renderer of its still frames.
  private struct Reading {
    let paced: PacedHarness
    let session: Int
    let refresh: Int
    let rotation: Rotation
    let style: Style
    let resources: RenderResources
    /// The number of visible rows.
    let window: Int
    /// The last row that can be at the top.
    let last: Int

    init(_ settings: Settings = Settings(message: "Hello")) async throws {
      paced = try await PacedHarness(settings)
      let request = OpenRequest(scene: GlidingTests.scene().document, display: "Virtual-1", wait: true)
      session = try #require(try await paced.director.open(request).id)
      let seen = try #require(await paced.director.seen(on: "Virtual-1"))
      (style, refresh) = (seen.view.style, seen.refresh)
      rotation = settings.rotation
      resources = try RenderResources()
      let end = try Reading.list(GlidingTests.text, at: .share(1), style, rotation, resources)
      let strip = try #require(end.strip)
      (window, last) = (strip.seen, strip.distance)
      await paced.harness.rest()
      paced.harness.card.beginVBlanks()
    }

    private static func list(
      _ text: String, at place: Place, _ style: Style, _ rotation: Rotation, _ resources: RenderResources
    ) throws -> DisplayList {
      let view = View(.markdown(MarkdownText(text, flow: .scroll), place), style: style)
      let pixels = rotation.inverse.turn(PacedHarness.size)
      return try layOut(view, on: DisplayMetrics(pixels: pixels, scale: 1), with: resources)
    }

    func place(_ row: Int) -> Double { Double(row) / Double(last) }

    /// Returns the pixels of a text that rests at a position.
    func still(_ place: Double, of text: String = GlidingTests.text) throws -> [UInt32] {
      let list = try Reading.list(text, at: .share(place), style, rotation, resources)
      let canvas = Canvas(size: PacedHarness.size, format: .xrgb8888, rotation: rotation)
      _ = canvas.draw(list, with: resources)
      return unsafe canvas.withUnsafeBytes { unsafe Array($0.bindMemory(to: UInt32.self)) }
    }

    /// Scrolls the text to a row, and returns when the first animation frame was requested.
    func send(to row: Int) async throws {
      _ = try await paced.frame { try await paced.director.scroll(session, .position(place(row))) }
    }

    func animation(_ from: Int, _ to: Int) throws -> ScrollAnimation {
      try #require(ScrollAnimation(from: from, to: to, window: window, refresh: refresh))
    }

    /// Expects the newest frame to be that of a row.
    func expect(_ row: Int, _ location: SourceLocation = #_sourceLocation) throws {
      let isThere = try paced.pixels() == still(place(row))
      #expect(isThere, "row \(row)", sourceLocation: location)
    }
  }

  @Test(arguments: Rotation.allCases)
  func `each animation frame is the frame of its row, and the last one is at the target`(rotation: Rotation)
    async throws
  {
    let reading = try await Reading(Settings(message: "Hello", rotation: rotation))
    try reading.expect(0)
    let row = reading.window + 7
    let animation = try reading.animation(0, row)
    let before = reading.paced.flips
    try await reading.send(to: row)
    var rows = [animation.row(after: animation.pace.pixels)]
    try reading.expect(rows[0])
    while rows.last != row {
      await reading.paced.blank()
      rows.append(animation.row(after: (rows.count + 1) * animation.pace.pixels))
      try reading.expect(rows.last ?? 0)
    }
    #expect((18...21).contains(rows.count), "a third of a second")
    await reading.paced.expectRest()
    try reading.expect(row)
    #expect(reading.paced.flips == before + rows.count, "exactly one flip per animation frame")
    #expect(await reading.paced.harness.display("Virtual-1")?.missedFrames == 0)
  }

  @Test func `a new target during an animation is scrolled to from the current row, without a jump`() async throws {
    let reading = try await Reading()
    let targets = [(reading.window, 5), (reading.window * 2, 4), (20, 6), (reading.window, 30)]
    var row = 0
    for (number, (target, frames)) in targets.enumerated() {
      let animation = try reading.animation(row, target)
      if number == 0 {
        try await reading.send(to: target)
      } else {
        // A frame is pending. The next one is painted after its flip.
        _ = try await reading.paced.director.scroll(reading.session, .position(reading.place(target)))
        try reading.expect(row)
        await reading.paced.blank()
      }
      for step in 1...frames where row != target {
        if step > 1 { await reading.paced.blank() }
        row = animation.row(after: step * animation.pace.pixels)
        try reading.expect(row)
      }
    }
    #expect(row == reading.window)
    await reading.paced.expectRest()
    try reading.expect(row)
  }

  @Test func `a missed animation frame is counted, and the next one is at the row of its time`() async throws {
    let reading = try await Reading()
    let animation = try reading.animation(0, reading.window)
    try await reading.send(to: reading.window)
    await reading.paced.blank()
    await reading.paced.blank(after: 4)
    #expect(await reading.paced.harness.display("Virtual-1")?.missedFrames == 3)
    try reading.expect(animation.row(after: 6 * animation.pace.pixels))
  }

  @Test func `a distant target and another text are shown without an animation`() async throws {
    let reading = try await Reading()
    try #require(reading.last > 3 * reading.window)
    try await reading.send(to: reading.last)
    try reading.expect(reading.last)
    await reading.paced.expectRest()
    // An edit replaces the text during an animation.
    try await reading.send(to: reading.last - reading.window)
    await reading.paced.blank()
    let other = "# Other\n\n" + Self.text
    _ = try await reading.paced.director.edit(reading.session, SceneEdit(scene: Self.scene(other).document))
    await reading.paced.blank()
    let isThere = try reading.paced.pixels() == reading.still(reading.place(reading.last - reading.window), of: other)
    #expect(isThere)
    await reading.paced.expectRest()
  }

  @Test func `an edit below the visible rows does not prevent the scroll animation`() async throws {
    let reading = try await Reading()
    let other = String(Self.text.dropLast(12)) + "Kept short"
    _ = try await reading.paced.director.edit(reading.session, SceneEdit(scene: Self.scene(other).document))
    await reading.paced.expectRest()
    try reading.expect(0)
    let before = reading.paced.flips
    try await reading.send(to: reading.window)
    #expect(reading.paced.flips == before + 1)
    #expect(await reading.paced.director.motion(on: "Virtual-1").moves)
  }

  @Test func `a sleeping display does not scroll, and is at the target when it wakes`() async throws {
    let reading = try await Reading()
    let paced = reading.paced
    try await reading.send(to: reading.window)
    for _ in 0..<3 { await paced.blank() }
    _ = try await paced.director.setAsleep(SleepRequest(asleep: true))
    let before = paced.flips
    for _ in 0..<3 { await paced.lastBlank() }
    #expect(paced.flips == before)
    #expect(await paced.director.motion(on: "Virtual-1").isAwaited == false)
    async let woken = paced.director.setAsleep(SleepRequest(asleep: false))
    await paced.lighting()
    try reading.expect(reading.window)
    paced.vblank()
    _ = try await woken
    await reading.paced.expectRest()
    #expect(paced.flips == before)
    try reading.expect(reading.window)
  }

  @Test func `a text that is read page by page turns without an animation`() async throws {
    let paced = try await PacedHarness()
    let scene = Scene(.markdown(MarkdownText(Self.text))).document
    let session = try #require(
      try await paced.director.open(OpenRequest(scene: scene, display: "Virtual-1", wait: true)).id)
    paced.harness.card.beginVBlanks()
    let before = paced.flips
    _ = try await paced.frame { try await paced.director.scroll(session, .page(1)) }
    for _ in 0..<3 { await paced.lastBlank() }
    #expect(paced.flips == before + 1)
    #expect(await paced.harness.display("Virtual-1")?.missedFrames == nil)
  }

  @Test func `without vertical blanks a timer drives the animation of a display and of its mirror`() async throws {
    let harness = Harness()
    await harness.start()
    for _ in 0..<2 { try await harness.plug(320, 240) }
    let mirror = Scene(.mirror(of: "Virtual-1")).document
    _ = try await harness.director.open(OpenRequest(scene: mirror, display: "Virtual-2", wait: true))
    let request = OpenRequest(scene: Self.scene().document, display: "Virtual-1", wait: true)
    let session = try #require(try await harness.director.open(request).id)
    await harness.rest()
    func flips(_ display: String) -> Int { harness.card.journal.count { $0 == "flip \(display)" } }
    let displays = ["Virtual-1", "Virtual-2"]
    let before = displays.map(flips)
    _ = try await harness.director.scroll(session, .position(0.03))
    for (display, before) in zip(displays, before) {
      await harness.waitWhile { director in director.display(display)?.missedFrames == nil }
      await harness.waitWhile { director in director.motion(on: display).moves }
      // A busy machine misses frames, but the first one is never the last.
      #expect((before + 2...before + 25).contains(flips(display)))
      #expect(await harness.director.motion(on: display).isAwaited == false)
    }
    let isSame = harness.card.scanout("Virtual-1")?.pixels == harness.card.scanout("Virtual-2")?.pixels
    #expect(isSame)
  }
}
