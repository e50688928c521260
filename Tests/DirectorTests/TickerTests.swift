import Configuration
import Control
import Geometry
import Scenes
import Synchronization
import Testing
import VirtualDisplays

@testable import Director

/// A line that scrolls: in time with the flips, for as long as somebody sees it.
struct TickerTests {
  /// Nanoseconds that are set by hand, as CLOCK_MONOTONIC counts them.
  private final class Nanoseconds: Sendable {
    private let time = Mutex(UInt64(1_000_000_000_000))

    var now: UInt64 { time.withLock { $0 } }
    func pass(_ count: UInt64) { time.withLock { $0 += count } }
  }

  private static let size = Size(640, 480)
  /// Of 60 Hz.
  private static let period: UInt64 = 16_666_667
  /// 180 logical pixels a second.
  private static let step = 3
  private static let ticker = Scene(.ticker(Ticker("Gate 17 is boarding now"))).document

  private let time = Nanoseconds()

  private func rig() async throws -> Rig {
    let time = time
    let rig = Rig(Settings(message: "Hello"), now: { time.now })
    await rig.start()
    try await rig.plug(Self.size.width, Self.size.height)
    await rig.director.rest()
    return rig
  }

  private func flips(_ rig: Rig) -> Int { rig.card.journal.count { $0.hasPrefix("flip") } }

  /// Opens a ticker on a card with vertical blanks; its first picture was asked for when this returns.
  private func open(_ rig: Rig) async throws {
    rig.card.beginVBlanks()
    let before = flips(rig)
    _ = try await rig.director.open(OpenRequest(scene: Self.ticker, display: "Virtual-1"))
    await picture(before + 1, rig)
  }

  /// Returns when so many pictures were asked for.
  private func picture(_ number: Int, _ rig: Rig) async {
    while flips(rig) < number { await Task.yield() }
  }

  /// Lets so many periods pass, and the vertical blank come: returns when the next picture was asked for.
  private func blank(_ rig: Rig, after periods: UInt64 = 1) async {
    let before = flips(rig)
    time.pass(periods * Self.period)
    rig.card.vblank()
    await picture(before + 1, rig)
  }

  private func pixels(_ rig: Rig) throws -> [UInt32] { try #require(rig.card.glass("Virtual-1")).pixels }

  /// Whether a picture is another one, so many pixels further to the left.
  private func isMoved(_ picture: [UInt32], from other: [UInt32], by distance: Int) -> Bool {
    (0..<Self.size.height).allSatisfy { y in
      let row = y * Self.size.width
      return picture[row..<row + Self.size.width - distance].elementsEqual(
        other[row + distance..<row + Self.size.width])
    }
  }

  @Test func `each vertical blank moves the line by the same whole pixels`() async throws {
    let rig = try await rig()
    try await open(rig)
    let first = try pixels(rig)
    #expect(Set(first).count > 10, "there are letters")
    for picture in 1...8 {
      await blank(rig)
      #expect(isMoved(try pixels(rig), from: first, by: picture * Self.step), "\(picture)")
    }
    #expect(await rig.director.motion(on: "Virtual-1") == (true, false, 0))
    #expect(flips(rig) == 9, "one for its beginning, one for each vertical blank and no more")
  }

  @Test func `a missed picture is counted, and the line is where it would have been`() async throws {
    let rig = try await rig()
    try await open(rig)
    let first = try pixels(rig)
    for _ in 0..<3 { await blank(rig) }
    await blank(rig, after: 4)
    #expect(await rig.director.motion(on: "Virtual-1").missed == 3)
    #expect(await rig.display("Virtual-1")?.missedFrames == 3)
    #expect(isMoved(try pixels(rig), from: first, by: 7 * Self.step))
    await blank(rig)
    #expect(await rig.director.motion(on: "Virtual-1").missed == 3)
    #expect(isMoved(try pixels(rig), from: first, by: 8 * Self.step))
  }

  @Test func `a message ends it, and then nothing is asked for any more`() async throws {
    let rig = try await rig()
    #expect(await rig.display("Virtual-1")?.missedFrames == nil)
    try await open(rig)
    await blank(rig)
    #expect(await rig.display("Virtual-1")?.missedFrames == nil, "one is on its way")
    await blank(rig, after: 2)
    _ = try await rig.director.setMessage(MessageRequest(text: "Stand still"))
    await blank(rig)
    time.pass(Self.period)
    rig.card.vblank()
    await rig.director.rest()
    #expect(await rig.display("Virtual-1")?.message == "Stand still")
    let before = flips(rig)
    rig.card.vblank()
    await rig.director.rest()
    #expect(flips(rig) == before)
    #expect(await rig.director.motion(on: "Virtual-1") == (false, false, 0))
    #expect(await rig.display("Virtual-1")?.missedFrames == 0)
  }

  @Test(arguments: [false, true])
  func `asleep nothing is painted, and awake it begins anew`(isOldTimeTold: Bool) async throws {
    let rig = try await rig()
    try await open(rig)
    let first = try pixels(rig)
    for _ in 0..<3 { await blank(rig) }
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    let before = flips(rig)
    for _ in 0..<3 {
      time.pass(Self.period)
      rig.card.vblank()
      await rig.director.rest()
    }
    #expect(flips(rig) == before)
    #expect(await rig.director.motion(on: "Virtual-1").isAwaited == false)
    if isOldTimeTold { rig.card.inject(.oldModesetFlip, count: 1) }
    async let woken = rig.director.setAsleep(SleepRequest(asleep: false))
    while !(rig.card.journal.last?.hasPrefix("light") ?? false) { await Task.yield() }
    #expect(try pixels(rig) == first)
    while flips(rig) == before {
      rig.card.vblank()
      await Task.yield()
    }
    _ = try await woken
    #expect(isMoved(try pixels(rig), from: first, by: Self.step))
  }

  @Test func `what is sent again goes on, and another text begins anew`() async throws {
    let rig = try await rig()
    try await open(rig)
    let first = try pixels(rig)
    for _ in 0..<2 { await blank(rig) }
    _ = try await rig.director.open(OpenRequest(scene: Self.ticker, display: "Virtual-1"))
    await blank(rig)
    #expect(isMoved(try pixels(rig), from: first, by: 3 * Self.step))
    let other = Scene(.ticker(Ticker("Delayed"))).document
    _ = try await rig.director.open(OpenRequest(scene: other, display: "Virtual-1"))
    await blank(rig)
    let begun = try pixels(rig)
    await blank(rig)
    #expect(isMoved(try pixels(rig), from: begun, by: Self.step))
    await blank(rig)
    #expect(isMoved(try pixels(rig), from: begun, by: 2 * Self.step))
  }

  @Test func `without vertical blanks the clock asks for pictures, and nothing spins`() async throws {
    let rig = try await rig()
    _ = try await rig.director.open(OpenRequest(scene: Self.ticker, display: "Virtual-1", wait: true))
    while await !rig.director.motion(on: "Virtual-1").isAwaited { await Task.yield() }
    #expect(flips(rig) <= 4, "the beginning, a step, and one that the clock may have asked for by now")
    try await rig.director.unplug("Virtual-1")
    #expect(await rig.director.motion(on: "Virtual-1") == (false, false, 0))
  }

  @Test func `a mirror of it moves, too, at its own pace`() async throws {
    let rig = try await rig()
    try await rig.plug(320, 240)
    _ = try await rig.director.open(
      OpenRequest(scene: Scene(.mirror(of: "Virtual-1")).document, display: "Virtual-2"))
    await rig.director.rest()
    _ = try await rig.director.open(OpenRequest(scene: Self.ticker, display: "Virtual-1", wait: true))
    while await !rig.director.motion(on: "Virtual-2").isAwaited { await Task.yield() }
    #expect(await rig.director.motion(on: "Virtual-1").moves)
  }
}
