import Configuration
import Control
import Geometry
import NIOCore
import Synchronization
import VirtualDisplays
import Testing

@testable import Director

/// A display of 60 Hz whose vertical blanks and whose clock the test controls.
struct PacedHarness {
  /// A manual clock of the nanoseconds of CLOCK_MONOTONIC.
  private final class Nanoseconds: Sendable {
    private let time = Mutex(UInt64(1_000_000_000_000))

    var now: UInt64 { time.withLock { $0 } }
    func pass(_ count: UInt64) { time.withLock { $0 += count } }
  }

  static let size = Size(640, 480)
  private static let period: UInt64 = 16_666_667

  let harness: Harness
  private let time = Nanoseconds()

  /// Creates a harness with one display. Its flips complete immediately until vertical blanks begin.
  init(
    _ settings: Settings = Settings(message: "Hello"), loop: (any EventLoop)? = nil, renderLoops: [any EventLoop]? = nil
  ) async throws {
    let time = time
    harness = Harness(settings, now: { time.now }, loop: loop, renderLoops: renderLoops)
    await harness.start()
    try await harness.plug(Self.size.width, Self.size.height)
    await harness.rest()
  }

  var director: Director { harness.director }

  var flips: Int { harness.card.journal.count { $0.hasPrefix("flip") } }

  /// Waits until a number of frames was requested.
  func frame(_ number: Int) async {
    await harness.waitWhile { flips < number }
  }

  /// Performs an action, and waits until it has caused a frame and the director has received the painter's report.
  func frame<R>(after action: () async throws -> R) async rethrows -> R {
    let before = flips
    let result = try await action()
    await frame(before + 1)
    await director.waitForPainters()
    return result
  }

  /// Waits until a mode is set whose flip arrives with the next vertical blank.
  func lighting() async {
    await harness.waitWhile { director in !director.awaitsFlip("Virtual-1") }
  }

  /// Lets a number of periods pass and sends a vertical blank. Then waits until the next frame was requested and the
  /// director has received the painter's report.
  func blank(after periods: UInt64 = 1) async { await frame { vblank(after: periods) } }

  /// Lets a period pass and sends a vertical blank. Then waits until no frame is pending.
  func lastBlank() async {
    vblank()
    await harness.rest()
  }

  /// Expects that the animation ends with the next vertical blank, and that no timer is armed for it.
  func expectRest(_ location: SourceLocation = #_sourceLocation) async {
    await lastBlank()
    let before = flips
    for _ in 0..<3 { await lastBlank() }
    let motion = await director.motion(on: "Virtual-1")
    #expect(flips == before && !motion.moves && !motion.isAwaited, sourceLocation: location)
  }

  /// Lets time pass by all clocks, without a vertical blank.
  func pass(milliseconds: Int64) {
    time.pass(UInt64(milliseconds) * 1_000_000)
    harness.clock.now += milliseconds
  }

  /// Lets a number of periods pass and sends a vertical blank.
  func vblank(after periods: UInt64 = 1) {
    time.pass(periods * Self.period)
    harness.card.vblank()
  }

  /// Returns the pixels of the newest frame that was requested.
  func pixels(_ display: String = "Virtual-1") -> [UInt32] { harness.card.scanout(display)?.pixels ?? [] }
}
