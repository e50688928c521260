/// Why the store refuses to do something, in a sentence that says what to do next.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No session has this number.
  case noSession(Int)
  /// No message has this number.
  case noMessage(Int)
  /// There is no such priority.
  case priority(Int)
  /// The message would be over before it is seen.
  case over(expires: Int64, now: Int64)
  /// There are as many messages as there may be, and all matter more.
  case full(priority: Int)

  /// A scene of this kind is to be the board.
  case noBoard(kind: String)
  /// Several cards of a board are called so.
  case doubledCard(String)

  /// One sentence.
  public var description: String {
    switch self {
    case .noSession(let id): "there is no session \(id); `placard sessions` lists them"
    case .noMessage(let id): "there is no message \(id); `placard messages` lists them"
    case .priority(let priority):
      "\(priority) is no priority: they go from \(Message.priorities.lowerBound) to \(Message.priorities.upperBound)"
    case .over(let expires, let now):
      "the message would end \(now &- expires) ms before now, and nobody would see it; give it a later time"
    case .full(let priority):
      "there are \(Store.mostMessages) messages above priority \(priority) already; "
        + "`placard withdraw` ends one that is of no more use"
    case .noBoard(let kind): "the board is a scene of kind `board`, and this one is a `\(kind)`"
    case .doubledCard(let id): "two cards have the id \(id): give each one of its own, or none, and it gets one"
    }
  }
}
