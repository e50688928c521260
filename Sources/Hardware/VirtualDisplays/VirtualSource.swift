package import Displays

/// A source with a single in-memory card.
package final class VirtualSource: CardSource {
  /// The name of the backend, `virtual`.
  package let backend = "virtual"
  /// The card, followed by `settled`.
  package let arrivals: AsyncStream<CardArrival>

  private let card: VirtualCard
  private let continuation: AsyncStream<CardArrival>.Continuation

  /// Creates a source of one card.
  package init(_ card: VirtualCard) {
    self.card = card
    (arrivals, continuation) = AsyncStream.makeStream()
  }

  /// Reports the card.
  package func start() async {
    continuation.yield(.ready(card))
    continuation.yield(.settled)
  }
}
