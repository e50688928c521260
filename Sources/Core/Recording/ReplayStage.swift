import Displays
import Glibc
import NIOCore
import SimulatedTime

/// What the cards of a replay share: the recording, the time, and what is written down of the replay.
///
/// Touched on the replay's loop alone.
final class ReplayStage: @unchecked Sendable {
  // @unchecked: whatever happens in a replay happens on the thread that runs its loop.

  /// How many bytes of frames there may be at once: more than any machine with displays has lit.
  private static let mostBytes = 1 << 30

  let clock: SimulatedClock
  let recorder: Recorder
  /// CLOCK_MONOTONIC when the run began.
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

  /// Nanoseconds since the run began.
  var now: Int64 { Int64(clamping: clock.time &- began) }

  /// The card of a path that came last.
  func card(_ path: String) -> ReplayCard? { cards.last { $0.path == path } }

  /// A card comes.
  func makeCard(_ path: String) -> ReplayCard {
    let card = ReplayCard(path, on: self)
    cards.removeAll { $0.path == path }
    cards.append(card)
    return card
  }

  /// Returns at a time of the recording; with nil only when the replay is over.
  func wait(until time: Int64?) async {
    if isOver || time.map({ $0 <= now }) ?? false { return }
    await withCheckedContinuation { continuation in
      sleeperCount += 1
      let number = sleeperCount
      sleepers[number] = continuation
      if let time { at(time) { stage in stage.sleepers.removeValue(forKey: number)?.resume() } }
    }
  }

  /// Does something at a time of the recording.
  func at(_ time: Int64, _ body: @escaping @Sendable (ReplayStage) -> Void) {
    _ = clock.loops[0].scheduleTask(deadline: .uptimeNanoseconds(began &+ UInt64(max(time, 0)))) { [weak self] in
      if let self { body(self) }
    }
  }

  /// Ends all that waits. Cards are gone from now on.
  func end() {
    isOver = true
    for sleeper in sleepers.values { sleeper.resume() }
    sleepers = [:]
    for card in cards { card.finish() }
  }

  /// Memory for a frame; nil where there is too little. It is zero, and takes no room before it is written.
  func memory(_ count: Int) -> (id: BufferID, bytes: UnsafeMutableRawBufferPointer)? {
    guard count > 0, bytes + count <= Self.mostBytes, let start = unsafe calloc(count, 1) else { return nil }
    bytes += count
    buffers += 1
    return unsafe (BufferID(buffers), UnsafeMutableRawBufferPointer(start: start, count: count))
  }

  /// A frame's memory was given back.
  func freed(_ count: Int) { bytes -= count }
}
