import Displays
import Outputs

/// A card, with the state that the director needs to carry out the effects.
///
/// Only the director uses it.
final class ManagedCard {
  let id: CardID
  let card: any DisplayCard
  /// The painters of the surfaces that are not freed yet.
  var painters: [Painting.SurfaceID: Painter] = [:]
  /// The task that frees surfaces. A card with little memory needs it to finish before the next allocation.
  var freeing: Task<Void, Never>?
  /// The task that closes a lost card.
  var closing: Task<Void, Never>?
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(_ id: CardID, _ card: any DisplayCard) {
    self.id = id
    self.card = card
  }

  /// Has a call wait until no operation on the card is in progress.
  func wait(_ continuation: CheckedContinuation<Void, Never>) { waiters.append(continuation) }

  /// Whether a call waits.
  var isAwaited: Bool { !waiters.isEmpty }

  /// Resumes the calls that wait, because no operation on the card is in progress.
  func resume() {
    let idle = waiters
    waiters = []
    for waiter in idle { waiter.resume() }
  }
}
