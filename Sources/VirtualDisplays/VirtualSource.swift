public import Displays

/// The source of the one card in memory.
public final class VirtualSource: CardSource {
  /// `virtual`.
  public let backend = "virtual"
  /// The card, then `settled`.
  public let arrivals: AsyncStream<CardArrival>

  private let card: VirtualCard
  private let continuation: AsyncStream<CardArrival>.Continuation

  /// A source of this card.
  public init(_ card: VirtualCard) {
    self.card = card
    (arrivals, continuation) = AsyncStream.makeStream()
  }

  /// Tells of the card.
  public func start() async {
    continuation.yield(.ready(card))
    continuation.yield(.settled)
  }
}
