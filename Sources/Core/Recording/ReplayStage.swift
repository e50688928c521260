import Displays
import Glibc
import NIOCore
import SimulatedTime

/// The state that the cards of a replay share: the recording, the clock and the recorder.
///
/// It is used only on the loop of the replay.
final class ReplayStage: @unchecked Sendable {
  // @unchecked: a replay runs entirely on the thread of its loop.

  /// The limit on frame memory, in bytes. No machine with displays uses more.
  private static let mostBytes = 1 << 30

  let clock: SimulatedClock
  let recorder: Recorder
  /// CLOCK_MONOTONIC when the run began, in nanoseconds.
  let began: UInt64
  var script: ReplayScript
  private(set) var isOver = false
  private var bytes = 0
  private var buffers: UInt32 = 0
  private var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
  private var sleeperCount = 0
  private var cards: [ReplayCard] = []

  init(_ run: RecordedRun, clock: SimulatedClock, began: UInt64, recorder: Recorder) {
    self.clock = clock
    self.began = began
    self.recorder = recorder
    script = ReplayScript(run)
  }

  /// The time in nanoseconds since the run began.
  var now: Int64 { Int64(clamping: clock.time &- began) }

  /// Returns the newest card with this path.
  func card(_ path: String) -> ReplayCard? { cards.last { $0.path == path } }

  /// Adds a card. It replaces an earlier one with the same path.
  func makeCard(_ path: String) -> ReplayCard {
    let card = ReplayCard(path, on: self)
    cards.removeAll { $0.path == path }
    cards.append(card)
    return card
  }

  /// Returns at a time of the recording. With nil, returns only when the replay is over.
  func wait(until time: Int64?) async {
    await withCheckedContinuation { continuation in
      if isOver || time.map({ $0 <= now }) ?? false { return continuation.resume() }
      sleeperCount += 1
      let number = sleeperCount
      sleepers[number] = continuation
      if let time { at(time) { stage in stage.sleepers.removeValue(forKey: number)?.resume() } }
    }
  }

  /// Runs a closure at a time of the recording.
  func at(_ time: Int64, _ body: @escaping @Sendable (ReplayStage) -> Void) {
    _ = clock.loops[0].scheduleTask(deadline: .uptimeNanoseconds(began &+ UInt64(max(time, 0)))) { [weak self] in
      if let self { body(self) }
    }
  }

  /// Ends all waits and the events of all cards. All cards are gone from now on.
  func end() {
    isOver = true
    for sleeper in sleepers.values { sleeper.resume() }
    sleepers = [:]
    for card in cards { card.finish() }
  }

  /// Allocates zeroed memory for a frame; nil if the limit is exceeded. Pages take no memory until they are written.
  func memory(_ count: Int) -> (id: BufferID, bytes: UnsafeMutableRawBufferPointer)? {
    guard count > 0, bytes + count <= Self.mostBytes, let start = unsafe calloc(count, 1) else { return nil }
    bytes += count
    buffers += 1
    return unsafe (BufferID(buffers), UnsafeMutableRawBufferPointer(start: start, count: count))
  }

  /// Subtracts freed frame memory from the total.
  func freed(_ count: Int) { bytes -= count }
}
