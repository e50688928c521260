/// Why the store refuses to do something, in a sentence that says what to do next.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No session has this number.
  case noSession(Int)
  /// No session of this number ended lately.
  case noClosedSession(Int)
  /// No message has this number.
  case noMessage(Int)
  /// There is no such priority.
  case priority(Int)
  /// The message would be over before it is seen.
  case over(expires: Int64, now: Int64)
  /// There is as much of this as there may be.
  case full(Full)

  /// What has a bound: `Store.mostMessages` and so on.
  public enum Full: Hashable, Sendable {
    /// Messages that live.
    case messages
    /// Sessions, those of monitors that are away among them.
    case sessions
    /// Monitors for which a mode or rotation is chosen.
    case choices
    /// The bytes of all messages and sessions.
    case bytes
  }

  /// A display would mirror another one, or itself, that is a mirror of a display.
  case mirror(String, of: String, thatMirrors: String)
  /// A scene of this kind is to be the board.
  case noBoard(kind: String)
  /// Several cards of a board are called so.
  case doubledCard(String)

  /// One sentence.
  public var description: String {
    switch self {
    case .noSession(let id): "there is no session \(id); `placard sessions` lists them"
    case .noClosedSession(let id): "there is no closed session \(id); `placard sessions --closed` lists the last ones"
    case .noMessage(let id): "there is no message \(id); `placard messages` lists them"
    case .priority(let priority):
      "\(priority) is no priority: they go from \(Message.priorities.lowerBound) to \(Message.priorities.upperBound)"
    case .over(let expires, let now):
      "the message would end \(now &- expires) ms before now, and nobody would see it; give it a later time"
    case .full(.messages):
      "there are \(Store.mostMessages) messages, and no more may be; `placard withdraw` ends one that is of no more use"
    case .full(.sessions):
      "there are \(Store.mostSessions) sessions, and no more may be; `placard close` ends one that is of no more use"
    case .full(.choices):
      "modes are chosen for \(Store.mostChoices) monitors, and for no more may they be; `placard mode DISPLAY --reset` "
        + "leaves one to the configuration"
    case .full(.bytes):
      "all messages and sessions may take \(Store.mostBytes >> 20) MiB, and with this they would take more; "
        + "`placard withdraw` and `placard close` end what is of no more use"
    case .mirror(let display, let mirrored, _) where mirrored == display:
      "\(display) cannot mirror itself; open the mirror on another display"
    case .mirror(let display, let mirrored, let further) where further == display:
      "\(display) and \(mirrored) cannot mirror each other; show something else on one of them"
    case .mirror(let display, let mirrored, let further):
      "\(display) cannot mirror \(mirrored), which mirrors \(further); mirror \(further) instead, or show something else "
        + "on \(mirrored)"
    case .noBoard(let kind): "the board is a scene of kind `board`, and this one is a `\(kind)`"
    case .doubledCard(let id): "two cards have the id \(id): give each one of its own, or none, and it gets one"
    }
  }
}
