public import Displays

/// A source with a single in-memory card.
public final class VirtualSource: CardSource {
  /// The name of the backend, `virtual`.
  public let backend = "virtual"
  /// The card, followed by `settled`.
  public let arrivals: AsyncStream<CardArrival>

  private let card: VirtualCard
  private let continuation: AsyncStream<CardArrival>.Continuation

  /// Creates a source of one card.
  public init(_ card: VirtualCard) {
    self.card = card
    (arrivals, continuation) = AsyncStream.makeStream()
  }

  /// Reports the card.
  public func start() async {
    continuation.yield(.ready(card))
    continuation.yield(.settled)
  }
}
