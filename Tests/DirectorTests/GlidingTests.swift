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

/// Markdown that is sent to another place glides there: each picture is what a text is painted as that was sent to that row.
@Suite(.timeLimit(.minutes(5)))
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

  /// A text on a display with vertical blanks, and its pictures as they are painted where nothing moves.
  private struct Reading {
    let paced: PacedRig
    let session: Int
    let refresh: Int
    let rotation: Rotation
    let style: Style
    let materials: RenderResources
    /// The rows that can be seen at a time, and the last that can be at the top.
    let window: Int
    let last: Int

    init(_ settings: Settings = Settings(message: "Hello")) async throws {
      paced = try await PacedRig(settings)
      let request = OpenRequest(scene: GlidingTests.scene().document, display: "Virtual-1", wait: true)
      session = try #require(try await paced.director.open(request).id)
      let seen = try #require(await paced.director.seen(on: "Virtual-1"))
      (style, refresh) = (seen.view.style, seen.refresh)
      rotation = settings.rotation
      materials = try RenderResources()
      let end = try Reading.list(GlidingTests.text, at: .share(1), style, rotation, materials)
      let strip = try #require(end.strip)
      (window, last) = (strip.seen, strip.distance)
      await paced.rig.rest()
      paced.rig.card.beginVBlanks()
    }

    private static func list(
      _ text: String, at place: Place, _ style: Style, _ rotation: Rotation, _ materials: RenderResources
    ) throws -> DisplayList {
      let view = View(.markdown(MarkdownText(text, flow: .scroll), place), style: style)
      let pixels = rotation.inverse.turn(PacedRig.size)
      return try layOut(view, on: DisplayMetrics(pixels: pixels, scale: 1), with: materials)
    }

    func place(_ row: Int) -> Double { Double(row) / Double(last) }

    /// What a text is painted as that stands still at a place.
    func still(_ place: Double, of text: String = GlidingTests.text) throws -> [UInt32] {
      let list = try Reading.list(text, at: .share(place), style, rotation, materials)
      let canvas = Canvas(size: PacedRig.size, format: .xrgb8888, rotation: rotation)
      _ = canvas.draw(list, with: materials)
      return unsafe canvas.withUnsafeBytes { unsafe Array($0.bindMemory(to: UInt32.self)) }
    }

    /// Sends the text to a row; a picture of the way was asked for when this returns.
    func send(to row: Int) async throws {
      _ = try await paced.picture { try await paced.director.scroll(session, .position(place(row))) }
    }

    func glide(_ from: Int, _ to: Int) throws -> ScrollAnimation {
      try #require(ScrollAnimation(from: from, to: to, window: window, refresh: refresh))
    }

    /// Expects the newest picture to be this row's.
    func expect(_ row: Int, _ location: SourceLocation = #_sourceLocation) throws {
      let isThere = try paced.pixels() == still(place(row))
      #expect(isThere, "row \(row)", sourceLocation: location)
    }

    /// Expects that nothing moves any more, nor wakes anybody.
    func expectRest(_ location: SourceLocation = #_sourceLocation) async {
      await paced.lastBlank()
      let before = paced.flips
      for _ in 0..<3 { await paced.lastBlank() }
      let motion = await paced.director.motion(on: "Virtual-1")
      #expect(paced.flips == before && !motion.moves && !motion.isAwaited, sourceLocation: location)
    }
  }

  @Test(arguments: Rotation.allCases)
  func `each picture on the way is that of its row, and the last one is where it was sent`(rotation: Rotation)
    async throws
  {
    let reading = try await Reading(Settings(message: "Hello", rotation: rotation))
    try reading.expect(0)
    let row = reading.window + 7
    let glide = try reading.glide(0, row)
    let before = reading.paced.flips
    try await reading.send(to: row)
    var rows = [glide.row(after: glide.pace.pixels)]
    try reading.expect(rows[0])
    while rows.last != row {
      await reading.paced.blank()
      rows.append(glide.row(after: (rows.count + 1) * glide.pace.pixels))
      try reading.expect(rows.last ?? 0)
    }
    #expect((18...21).contains(rows.count), "a third of a second")
    await reading.expectRest()
    try reading.expect(row)
    #expect(reading.paced.flips == before + rows.count, "one for each step and no more")
    #expect(await reading.paced.rig.display("Virtual-1")?.missedFrames == 0)
  }

  @Test func `another place on the way is gone to from there, without a jump`() async throws {
    let reading = try await Reading()
    let ways = [(reading.window, 5), (reading.window * 2, 4), (20, 6), (reading.window, 30)]
    var row = 0
    for (number, (target, pictures)) in ways.enumerated() {
      let glide = try reading.glide(row, target)
      if number == 0 {
        try await reading.send(to: target)
      } else {
        // A picture is on its way to the glass; the next one is painted when it is there.
        _ = try await reading.paced.director.scroll(reading.session, .position(reading.place(target)))
        try reading.expect(row)
        await reading.paced.blank()
      }
      for step in 1...pictures where row != target {
        if step > 1 { await reading.paced.blank() }
        row = glide.row(after: step * glide.pace.pixels)
        try reading.expect(row)
      }
    }
    #expect(row == reading.window)
    await reading.expectRest()
    try reading.expect(row)
  }

  @Test func `a picture that is missed is counted, and the column is where it would have been`() async throws {
    let reading = try await Reading()
    let glide = try reading.glide(0, reading.window)
    try await reading.send(to: reading.window)
    await reading.paced.blank()
    await reading.paced.blank(after: 4)
    #expect(await reading.paced.rig.display("Virtual-1")?.missedFrames == 3)
    try reading.expect(glide.row(after: 6 * glide.pace.pixels))
  }

  @Test func `what is too far to follow is there at once, and so is another text`() async throws {
    let reading = try await Reading()
    try #require(reading.last > 3 * reading.window)
    try await reading.send(to: reading.last)
    try reading.expect(reading.last)
    await reading.expectRest()
    // On the way to somewhere the text becomes another one.
    try await reading.send(to: reading.last - reading.window)
    await reading.paced.blank()
    let other = "# Other\n\n" + Self.text
    _ = try await reading.paced.director.edit(reading.session, SceneEdit(scene: Self.scene(other).document))
    await reading.paced.blank()
    let isThere = try reading.paced.pixels() == reading.still(reading.place(reading.last - reading.window), of: other)
    #expect(isThere)
    await reading.expectRest()
  }

  @Test func `a change of what is not seen is no reason to jump`() async throws {
    let reading = try await Reading()
    let other = String(Self.text.dropLast(12)) + "Kept short"
    _ = try await reading.paced.director.edit(reading.session, SceneEdit(scene: Self.scene(other).document))
    await reading.expectRest()
    try reading.expect(0)
    let before = reading.paced.flips
    try await reading.send(to: reading.window)
    #expect(reading.paced.flips == before + 1)
    #expect(await reading.paced.director.motion(on: "Virtual-1").moves)
  }

  @Test func `what sleeps does not move, and is where it was sent when it wakes`() async throws {
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
    paced.beat()
    _ = try await woken
    await reading.expectRest()
    #expect(paced.flips == before)
    try reading.expect(reading.window)
  }

  @Test func `what is read page by page turns at once`() async throws {
    let paced = try await PacedRig()
    let scene = Scene(.markdown(MarkdownText(Self.text))).document
    let session = try #require(
      try await paced.director.open(OpenRequest(scene: scene, display: "Virtual-1", wait: true)).id)
    paced.rig.card.beginVBlanks()
    let before = paced.flips
    _ = try await paced.picture { try await paced.director.scroll(session, .page(1)) }
    for _ in 0..<3 { await paced.lastBlank() }
    #expect(paced.flips == before + 1)
    #expect(await paced.rig.display("Virtual-1")?.missedFrames == nil)
  }

  @Test func `without vertical blanks the clock asks for each step, here and in a mirror`() async throws {
    let rig = Rig()
    await rig.start()
    for _ in 0..<2 { try await rig.plug(320, 240) }
    let mirror = Scene(.mirror(of: "Virtual-1")).document
    _ = try await rig.director.open(OpenRequest(scene: mirror, display: "Virtual-2", wait: true))
    let request = OpenRequest(scene: Self.scene().document, display: "Virtual-1", wait: true)
    let session = try #require(try await rig.director.open(request).id)
    await rig.rest()
    func flips(_ display: String) -> Int { rig.card.journal.count { $0 == "flip \(display)" } }
    let displays = ["Virtual-1", "Virtual-2"]
    let before = displays.map(flips)
    _ = try await rig.director.scroll(session, .position(0.03))
    for (display, before) in zip(displays, before) {
      await rig.waitWhile { director in director.display(display)?.missedFrames == nil }
      await rig.waitWhile { director in director.motion(on: display).moves }
      // On a busy machine pictures are missed, but the first is never the end.
      #expect((before + 2...before + 25).contains(flips(display)))
      #expect(await rig.director.motion(on: display).isAwaited == false)
    }
    let isSame = rig.card.glass("Virtual-1")?.pixels == rig.card.glass("Virtual-2")?.pixels
    #expect(isSame)
  }
}
