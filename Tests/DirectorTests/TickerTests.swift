import Control
import Geometry
import Scenes
import Testing
import VirtualDisplays
import Waiting

@testable import Director

/// A scrolling line, which follows the flips while it is visible.
@Suite(.timeLimit(.minutes(10)))
struct TickerTests {
  private static let size = PacedHarness.size
  /// The pixels of a frame: 180 logical pixels a second at 60 Hz.
  private static let step = 3
  private static let ticker = Scene(.ticker(Ticker("Gate 17 is boarding now"))).document

  /// Opens a ticker on a card with vertical blanks, and waits until its first frame is requested.
  private func open(_ paced: PacedHarness) async throws {
    paced.harness.card.beginVBlanks()
    _ = try await paced.frame {
      try await paced.director.open(OpenRequest(scene: Self.ticker, display: "Virtual-1"))
    }
  }

  /// Returns whether a frame is another one, moved to the left by a number of pixels.
  private func isMoved(_ frame: [UInt32], from other: [UInt32], by distance: Int) -> Bool {
    (0..<Self.size.height).allSatisfy { y in
      let row = y * Self.size.width
      return frame[row..<row + Self.size.width - distance].elementsEqual(
        other[row + distance..<row + Self.size.width])
    }
  }

  @Test func `each vertical blank moves the line by the same number of whole pixels`() async throws {
    let paced = try await PacedHarness()
    try await open(paced)
    let first = paced.pixels()
    #expect(Set(first).count > 10, "the frame has letters")
    for frame in 1...8 {
      await paced.blank()
      #expect(isMoved(paced.pixels(), from: first, by: frame * Self.step), "\(frame)")
    }
    #expect(await paced.director.motion(on: "Virtual-1") == (true, false, 0))
    #expect(paced.flips == 9, "one flip for the start and one per vertical blank")
  }

  @Test func `a missed frame is counted, and the next one is at the position of its time`() async throws {
    let paced = try await PacedHarness()
    try await open(paced)
    let first = paced.pixels()
    for _ in 0..<3 { await paced.blank() }
    await paced.blank(after: 4)
    #expect(await paced.director.motion(on: "Virtual-1").missed == 3)
    #expect(await paced.harness.display("Virtual-1")?.missedFrames == 3)
    #expect(isMoved(paced.pixels(), from: first, by: 7 * Self.step))
    await paced.blank()
    #expect(await paced.director.motion(on: "Virtual-1").missed == 3)
    #expect(isMoved(paced.pixels(), from: first, by: 8 * Self.step))
    await paced.blank(after: 2)
    let report = await paced.harness.display("Virtual-1")
    #expect(report?.missedFrames == 4 && report?.missedInARow == 3)
  }

  @Test func `a message ends the scrolling, and no further frame is requested`() async throws {
    let paced = try await PacedHarness()
    #expect(await paced.harness.display("Virtual-1")?.missedFrames == nil)
    try await open(paced)
    await paced.blank()
    #expect(await paced.harness.display("Virtual-1")?.missedFrames == nil, "the first frame is pending")
    await paced.blank(after: 2)
    _ = try await paced.director.setMessage(MessageRequest(text: "Stand still"))
    await paced.blank()
    await paced.lastBlank()
    #expect(await paced.harness.display("Virtual-1")?.message == "Stand still")
    let before = paced.flips
    await paced.lastBlank()
    #expect(paced.flips == before)
    #expect(await paced.director.motion(on: "Virtual-1") == (false, false, 0))
    #expect(await paced.harness.display("Virtual-1")?.missedFrames == 0)
  }

  @Test(arguments: [false, true])
  func `a sleeping display paints nothing, and the line restarts when it wakes`(isFlipTimeOld: Bool) async throws {
    let paced = try await PacedHarness()
    try await open(paced)
    let first = paced.pixels()
    for _ in 0..<3 { await paced.blank() }
    _ = try await paced.director.setAsleep(SleepRequest(asleep: true))
    let before = paced.flips
    for _ in 0..<3 { await paced.lastBlank() }
    #expect(paced.flips == before)
    #expect(await paced.director.motion(on: "Virtual-1").isAwaited == false)
    if isFlipTimeOld { paced.harness.card.inject(.oldModesetFlip, count: 1) }
    async let woken = paced.director.setAsleep(SleepRequest(asleep: false))
    await paced.lighting()
    #expect(paced.pixels() == first)
    await paced.blank()
    _ = try await woken
    #expect(isMoved(paced.pixels(), from: first, by: Self.step))
  }

  @Test func `the same line continues when it is opened again, and another line replaces it`() async throws {
    let paced = try await PacedHarness()
    try await open(paced)
    let first = paced.pixels()
    for _ in 0..<2 { await paced.blank() }
    _ = try await paced.director.open(OpenRequest(scene: Self.ticker, display: "Virtual-1"))
    await paced.blank()
    #expect(isMoved(paced.pixels(), from: first, by: 3 * Self.step))
    let other = Scene(.ticker(Ticker("Delayed"))).document
    _ = try await paced.director.open(OpenRequest(scene: other, display: "Virtual-1"))
    await paced.blank()
    let begun = paced.pixels()
    await paced.blank()
    #expect(isMoved(paced.pixels(), from: begun, by: Self.step))
    await paced.blank()
    #expect(isMoved(paced.pixels(), from: begun, by: 2 * Self.step))
  }

  @Test func `without vertical blanks a timer requests the frames, without a busy loop`() async throws {
    let paced = try await PacedHarness()
    let began = ContinuousClock.now
    _ = try await paced.director.open(OpenRequest(scene: Self.ticker, display: "Virtual-1", wait: true))
    await paced.harness.waitWhile { director in !director.motion(on: "Virtual-1").isAwaited }
    let flips = paced.flips
    let periods = Int((ContinuousClock.now - began) / .milliseconds(16))
    #expect(flips <= 4 + periods, "the start, a step, and at most one frame per period")
    try await paced.director.unplug("Virtual-1")
    #expect(await paced.director.motion(on: "Virtual-1") == (false, false, 0))
  }

  @Test func `a mirror of a scrolling line scrolls as well`() async throws {
    let paced = try await PacedHarness()
    try await paced.harness.plug(320, 240)
    _ = try await paced.director.open(
      OpenRequest(scene: Scene(.mirror(of: "Virtual-1")).document, display: "Virtual-2"))
    await paced.harness.rest()
    _ = try await paced.director.open(OpenRequest(scene: Self.ticker, display: "Virtual-1", wait: true))
    await paced.harness.waitWhile { director in !director.motion(on: "Virtual-2").isAwaited }
    #expect(await paced.director.motion(on: "Virtual-1").moves)
  }
}
