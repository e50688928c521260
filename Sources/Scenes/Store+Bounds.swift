extension Store {
  /// Most messages that live at once.
  public static let mostMessages = 1000
  /// Most sessions: on displays, of monitors that are away, and waiting for one.
  public static let mostSessions = 1000
  /// Most monitors for which a mode or rotation is chosen.
  public static let mostChoices = 1000
  /// What the scenes of all messages and sessions may take in bytes, as JSON.
  public static let mostBytes = 16 << 20

  /// Why a change is refused: it adds to what is full. Nothing that was acknowledged ends to make room.
  ///
  /// A store of an earlier version may hold more than there may be. It stays, and can only shrink.
  ///
  /// - Parameters:
  ///   - old: The store before the change.
  ///   - new: The store after it.
  /// - Returns: What is full; nil where the change fits.
  public static func excess(from old: Store, to new: Store) -> StoreError? {
    let bounds: [(full: StoreError.Full, count: (Store) -> Int, most: Int)] = [
      (.messages, \.allMessages.count, mostMessages), (.sessions, \.sessionCount, mostSessions),
      (.choices, \.choiceCount, mostChoices), (.bytes, \.bytes, mostBytes),
    ]
    return bounds.first { bound in
      let count = bound.count(new)
      return count > bound.most && count > bound.count(old)
    }.map { .full($0.full) }
  }

  private var sessionCount: Int { allSeats.count { $0.session != nil } + reservations.count }

  private var choiceCount: Int { allSeats.count { !$0.choice.isEmpty } }

  /// What the scenes of all messages and sessions take.
  var bytes: Int {
    allMessages.reduce(0) { $0 + $1.bytes } + allSeats.reduce(0) { $0 + ($1.session?.bytes ?? 0) }
      + reservations.reduce(0) { $0 + $1.session.bytes }
  }
}
