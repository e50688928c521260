import Configuration
import Control
import Geometry
import NIOCore
import Synchronization
import VirtualDisplays
import Testing

@testable import Director

/// A display of 60 Hz whose vertical blanks come when the test says so, and a clock that it sets.
struct PacedRig {
  /// Nanoseconds that are set by hand, as CLOCK_MONOTONIC counts them.
  private final class Nanoseconds: Sendable {
    private let time = Mutex(UInt64(1_000_000_000_000))

    var now: UInt64 { time.withLock { $0 } }
    func pass(_ count: UInt64) { time.withLock { $0 += count } }
  }

  static let size = Size(640, 480)
  private static let period: UInt64 = 16_666_667

  let rig: Rig
  private let time = Nanoseconds()

  /// A rig with one display; its flips come at once until vertical blanks begin.
  init(
    _ settings: Settings = Settings(message: "Hello"), loop: (any EventLoop)? = nil, lanes: [any EventLoop]? = nil
  ) async throws {
    let time = time
    rig = Rig(settings, now: { time.now }, loop: loop, lanes: lanes)
    await rig.start()
    try await rig.plug(Self.size.width, Self.size.height)
    await rig.rest()
  }

  var director: Director { rig.director }

  var flips: Int { rig.card.journal.count { $0.hasPrefix("flip") } }

  /// Returns when so many pictures were asked for.
  func picture(_ number: Int) async {
    await rig.waitWhile { flips < number }
  }

  /// Returns when a picture was asked for because of a deed, and the director knows of it.
  func picture<R>(after deed: () async throws -> R) async rethrows -> R {
    let before = flips
    let result = try await deed()
    await picture(before + 1)
    await director.hearPainters()
    return result
  }

  /// Returns when a mode was set, and its flip comes with the next vertical blank.
  func lighting() async {
    await rig.waitWhile { director in !director.awaitsFlip("Virtual-1") }
  }

  /// Lets so many periods pass, and the vertical blank come: returns when the next picture was asked for, and the director
  /// knows of it.
  func blank(after periods: UInt64 = 1) async { await picture { beat(after: periods) } }

  /// Lets so many periods pass, and the vertical blank come: returns when nothing is on its way.
  func lastBlank() async {
    beat()
    await rig.rest()
  }

  /// Lets so many periods pass, and the vertical blank come.
  func beat(after periods: UInt64 = 1) {
    time.pass(periods * Self.period)
    rig.card.vblank()
  }

  /// The newest picture that was asked for.
  func pixels(_ display: String = "Virtual-1") -> [UInt32] { rig.card.glass(display)?.pixels ?? [] }
}
