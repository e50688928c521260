import Configuration
import Control
import Director
import Displays
import Geometry
import Logging
import NIOCore
import SeededRandom
import SimulatedTime
import Synchronization
import VirtualDisplays

/// The state that outlives the service's process: hardware, disk, clocks, and what clients expect.
///
/// Everything here runs on the thread of the simulated clock.
final class World: @unchecked Sendable {
  // @unchecked: see above.

  /// A card's path and its connectors.
  static let connectors = ["card0": ["Virtual-1", "Virtual-2", "Virtual-3"], "card1": ["Virtual-4", "Virtual-5"]]
  static let paths = ["card0", "card1"]
  /// The monitors, of which each is plugged into one connector at most.
  static let monitors: [VirtualMonitor] = (0..<6).map { number in
    VirtualMonitor(size: [Size(160, 120), Size(200, 150), Size(320, 240)][number % 3], name: "monitor \(number)")
  }

  let clock: SimulatedClock
  let directory: String
  let mistake: Mistake?
  let disk = SimulatedDisk.shared
  var random: SeededGenerator
  var settings: Settings
  /// The monitors by connector.
  var plugged: [String: Int] = [:]
  /// The cards that are present, by path.
  var cards: [String: VirtualCard] = [:]
  /// The faults that were injected and may still come.
  var faults: [(card: VirtualCard, fault: VirtualFault)] = []
  /// The cards whose flips are held.
  var heldCards: Set<String> = []
  /// By how many milliseconds the real-time clock and the boot clock are ahead of the monotonic one.
  var wallLead: Int64 = 1_795_000_000_000
  var bootLead: Int64 = 0
  var expectations = Expectations()
  var life: Life?
  var violation: String?
  var log: [String] = []
  /// How often something happened, by kind.
  var counts: [String: Int] = [:]
  /// The pixels that were flipped to, and what they are known to show.
  var pictures = Pictures()
  /// When a connector last had another monitor, card or rotation. Pictures of other times are not known.
  var changes: [String: UInt64] = [:]
  /// The monitor that the service reported for each session text; nil until its answer.
  var owners: [String: String] = [:]
  /// The session texts of which it is not known on which monitor they are.
  var unplaced: Set<String> = []
  var serial = 0
  /// The answer to the message of the last `settle`; nil until it comes.
  var settledReport: MessageReport?
  private var vblanks: Set<String> = []

  init(seed: UInt64, directory: String, mistake: Mistake?) {
    // Choices of the run are independent of those of the steps, which a shorter history has fewer of.
    let generator = Generator(SeededGenerator(seed: seed ^ 0x5EED))
    clock = SimulatedClock(at: 1 << 40, loops: 3) { Int(generator.next() % UInt64($0)) }
    random = SeededGenerator(seed: seed &+ 1)
    self.directory = directory
    self.mistake = mistake
    settings = Settings(message: "Ground", monitorDays: 36_500)
  }

  /// Milliseconds since 1970, and since the boot.
  var wallTime: Int64 { wallLead + milliseconds }
  var bootTime: Int64 { bootLead + milliseconds }
  private var milliseconds: Int64 { Int64(clock.time / 1_000_000) }

  /// Notes a violation, of which the first counts.
  func violate(_ words: String) {
    note("VIOLATION: \(words)")
    violation = violation ?? words
  }

  func note(_ words: String) {
    let time = clock.time - 1 << 40
    log.append("\(time / 1_000_000).\(time / 1_000 % 1_000) ms  \(words)")
  }

  func count(_ kind: String) { counts[kind, default: 0] += 1 }

  // MARK: Hardware

  /// Returns a new card with the monitors that are plugged into it.
  func makeCard(_ path: String) -> VirtualCard {
    let error: UInt64 = mistake == .wrongFlipTime ? 1000 : 0
    let card = VirtualCard(path: path, crtcs: 4, clock: { [clock] in clock.time - error })
    for connector in Self.connectors[path] ?? [] {
      // A connector exists from the beginning, with or without a monitor.
      card.plug(Self.monitors[0], into: connector)
      if let monitor = plugged[connector] {
        card.plug(Self.monitors[monitor], into: connector)
      } else {
        card.unplug(connector)
      }
    }
    card.beginVBlanks()
    card.afterModesets { [unowned self, unowned card] in wantVBlank(card) }
    card.duringFlips { [unowned self, unowned card] moment, _ in if moment == .end { wantVBlank(card) } }
    for call in VirtualCall.allCases {
      card.during(call) { [unowned self, unowned card] in
        await pause(call)
        // The kernel waits for the pending flips of a CRTC before it sets its mode (drm_atomic_helper_commit).
        guard [.light, .darken, .sleep].contains(call) else { return }
        if vblanks.contains(card.path) { await sleep(until: nextVBlank + 1) } else { completeFlips(of: card) }
      }
    }
    return card
  }

  /// Takes as long as a call on a card may take: usually no time, rarely seconds.
  private func pause(_ call: VirtualCall) async {
    let nanoseconds: Int64
    switch UInt64.random(in: 0..<100, using: &random) {
    case 0..<70: return
    case 70..<99: nanoseconds = Int64.random(in: 1_000_000...40_000_000, using: &random)
    default:
      count("slow \(call.rawValue)")
      nanoseconds = Int64.random(in: 1_000_000_000...6_000_000_000, using: &random)
    }
    await sleep(until: clock.time + UInt64(nanoseconds))
  }

  private func sleep(until time: UInt64) async {
    await withCheckedContinuation { continuation in
      clock.loops[0].scheduleTask(deadline: .uptimeNanoseconds(time)) {}.futureResult.whenComplete { _ in
        continuation.resume()
      }
    }
  }

  private var nextVBlank: UInt64 { (clock.time / Self.frameTime + 1) * Self.frameTime }

  /// Completes the pending flips of a card at its next vertical blank.
  func wantVBlank(_ card: VirtualCard) {
    let path = card.path
    guard !heldCards.contains(path), cards[path] === card, vblanks.insert(path).inserted else { return }
    _ = clock.loops[0].scheduleTask(deadline: .uptimeNanoseconds(nextVBlank)) { [unowned self, weak card] in
      vblanks.remove(path)
      guard let card, cards[path] === card, !heldCards.contains(path) else { return }
      completeFlips(of: card)
    }
  }

  private func completeFlips(of card: VirtualCard) {
    for connector in Self.connectors[card.path] ?? [] {
      pictures.flipped(connector, card.scanout(connector), at: clock.time)
    }
    card.vblank()
  }

  private static let frameTime: UInt64 = 16_666_667
}

/// A generator that closures share.
private final class Generator: Sendable {
  private let base: Mutex<SeededGenerator>

  init(_ base: SeededGenerator) { self.base = Mutex(base) }

  func next() -> UInt64 { base.withLock { $0.next() } }
}
