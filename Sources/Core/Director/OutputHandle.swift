import Displays
import Outputs

/// The painter of an output, and the requests that wait for it.
///
/// Only the director uses it. It remains usable after the monitor is gone.
final class OutputHandle {
  /// A call that waits until a version of the scene is presented.
  struct Waiter {
    var version: Int
    var continuation: CheckedContinuation<ShowResult, Never>
  }

  let id: OutputID
  let painter: Painter
  let card: ManagedCard
  /// The frame gate, which decides which frames may still be presented.
  let permit = SharedFramePermit()
  /// The number of frames that the painter is working on, including those that are no longer wanted.
  var paintings = 0
  /// The flips that arrived before the painter reported their present calls.
  var heldFlips: [Flip] = []
  /// The cache of the previews that clients requested.
  let previews = PreviewCache()
  private(set) var waiters: [Waiter] = []
  /// Why the output showed nothing when that was known last.
  private(set) var endReason: String?
  private let flipping = AsyncMutex()

  init(_ id: OutputID, painter: Painter, card: ManagedCard) {
    self.id = id
    self.painter = painter
    self.card = card
  }

  var name: String { id.name }

  /// The work of the painter and the flip reader.
  var activity: FrameActivity { FrameActivity(permit: permit.state, isTakingFlip: isTakingFlip) }

  /// Whether a flip arrived that is not handled yet.
  var isTakingFlip: Bool { flipping.isTaken || !heldFlips.isEmpty }

  /// Handles a flip after the flips before it, because each flip swaps the buffers.
  func takeFlip(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void) async {
    await flipping.run(body)
  }

  /// Has a call wait until a version is presented.
  func wait(for version: Int, _ continuation: CheckedContinuation<ShowResult, Never>) {
    waiters.append(Waiter(version: version, continuation: continuation))
  }

  /// Resumes the calls that wait for this version or an older one.
  func settle(_ result: ShowResult, upTo version: Int) {
    if case .notShown(let reason) = result { endReason = reason }
    let settled = waiters.filter { $0.version <= version }
    waiters.removeAll { $0.version <= version }
    for waiter in settled { waiter.continuation.resume(returning: result) }
  }
}
