import Control
import Geometry
import Scenes
import Testing
import VirtualDisplays
import Waiting

@testable import Director

/// A line that scrolls: in time with the flips, for as long as somebody sees it.
@Suite(.timeLimit(.minutes(5)))
struct TickerTests {
  private static let size = PacedRig.size
  /// 180 logical pixels a second.
  private static let step = 3
  private static let ticker = Scene(.ticker(Ticker("Gate 17 is boarding now"))).document

  /// Opens a ticker on a card with vertical blanks; its first picture was asked for when this returns.
  private func open(_ paced: PacedRig) async throws {
    paced.rig.card.beginVBlanks()
    _ = try await paced.picture {
      try await paced.director.open(OpenRequest(scene: Self.ticker, display: "Virtual-1"))
    }
  }

  /// Whether a picture is another one, so many pixels further to the left.
  private func isMoved(_ picture: [UInt32], from other: [UInt32], by distance: Int) -> Bool {
    (0..<Self.size.height).allSatisfy { y in
      let row = y * Self.size.width
      return picture[row..<row + Self.size.width - distance].elementsEqual(
        other[row + distance..<row + Self.size.width])
    }
  }

  @Test func `each vertical blank moves the line by the same whole pixels`() async throws {
    let paced = try await PacedRig()
    try await open(paced)
    let first = paced.pixels()
    #expect(Set(first).count > 10, "there are letters")
    for picture in 1...8 {
      await paced.blank()
      #expect(isMoved(paced.pixels(), from: first, by: picture * Self.step), "\(picture)")
    }
    #expect(await paced.director.motion(on: "Virtual-1") == (true, false, 0))
    #expect(paced.flips == 9, "one for its beginning, one for each vertical blank and no more")
  }

  @Test func `a missed picture is counted, and the line is where it would have been`() async throws {
    let paced = try await PacedRig()
    try await open(paced)
    let first = paced.pixels()
    for _ in 0..<3 { await paced.blank() }
    await paced.blank(after: 4)
    #expect(await paced.director.motion(on: "Virtual-1").missed == 3)
    #expect(await paced.rig.display("Virtual-1")?.missedFrames == 3)
    #expect(isMoved(paced.pixels(), from: first, by: 7 * Self.step))
    await paced.blank()
    #expect(await paced.director.motion(on: "Virtual-1").missed == 3)
    #expect(isMoved(paced.pixels(), from: first, by: 8 * Self.step))
    await paced.blank(after: 2)
    let report = await paced.rig.display("Virtual-1")
    #expect(report?.missedFrames == 4 && report?.missedInARow == 3)
  }

  @Test func `a message ends it, and then nothing is asked for any more`() async throws {
    let paced = try await PacedRig()
    #expect(await paced.rig.display("Virtual-1")?.missedFrames == nil)
    try await open(paced)
    await paced.blank()
    #expect(await paced.rig.display("Virtual-1")?.missedFrames == nil, "one is on its way")
    await paced.blank(after: 2)
    _ = try await paced.director.setMessage(MessageRequest(text: "Stand still"))
    await paced.blank()
    await paced.lastBlank()
    #expect(await paced.rig.display("Virtual-1")?.message == "Stand still")
    let before = paced.flips
    await paced.lastBlank()
    #expect(paced.flips == before)
    #expect(await paced.director.motion(on: "Virtual-1") == (false, false, 0))
    #expect(await paced.rig.display("Virtual-1")?.missedFrames == 0)
  }

  @Test(arguments: [false, true])
  func `asleep nothing is painted, and awake it begins anew`(isOldTimeTold: Bool) async throws {
    let paced = try await PacedRig()
    try await open(paced)
    let first = paced.pixels()
    for _ in 0..<3 { await paced.blank() }
    _ = try await paced.director.setAsleep(SleepRequest(asleep: true))
    let before = paced.flips
    for _ in 0..<3 { await paced.lastBlank() }
    #expect(paced.flips == before)
    #expect(await paced.director.motion(on: "Virtual-1").isAwaited == false)
    if isOldTimeTold { paced.rig.card.inject(.oldModesetFlip, count: 1) }
    async let woken = paced.director.setAsleep(SleepRequest(asleep: false))
    await paced.lighting()
    #expect(paced.pixels() == first)
    await paced.blank()
    _ = try await woken
    #expect(isMoved(paced.pixels(), from: first, by: Self.step))
  }

  @Test func `what is sent again goes on, and another text begins anew`() async throws {
    let paced = try await PacedRig()
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

  @Test func `without vertical blanks the clock asks for pictures, and nothing spins`() async throws {
    let paced = try await PacedRig()
    let began = ContinuousClock.now
    _ = try await paced.director.open(OpenRequest(scene: Self.ticker, display: "Virtual-1", wait: true))
    await paced.rig.waitWhile { director in !director.motion(on: "Virtual-1").isAwaited }
    let flips = paced.flips
    let periods = Int((ContinuousClock.now - began) / .milliseconds(16))
    #expect(flips <= 4 + periods, "the beginning, a step, and what the clock may have asked for by now")
    try await paced.director.unplug("Virtual-1")
    #expect(await paced.director.motion(on: "Virtual-1") == (false, false, 0))
  }

  @Test func `a mirror of it moves, too, at its own pace`() async throws {
    let paced = try await PacedRig()
    try await paced.rig.plug(320, 240)
    _ = try await paced.director.open(
      OpenRequest(scene: Scene(.mirror(of: "Virtual-1")).document, display: "Virtual-2"))
    await paced.rig.rest()
    _ = try await paced.director.open(OpenRequest(scene: Self.ticker, display: "Virtual-1", wait: true))
    await paced.rig.waitWhile { director in !director.motion(on: "Virtual-2").isAwaited }
    #expect(await paced.director.motion(on: "Virtual-1").moves)
  }
}
