/// The reason why the session model rejects a change, with the next step in its description.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The session with this number does not exist.
  case noSession(Int)
  /// No recently closed session has this number.
  case noClosedSession(Int)
  /// The message with this number does not exist.
  case noMessage(Int)
  /// The priority is out of range.
  case priority(Int)
  /// The message would expire before it is shown.
  case over(expires: Int64, now: Int64)
  /// A limit is reached.
  case full(Full)

  /// The limits: `Store.mostMessages` and so on.
  public enum Full: Hashable, Sendable {
    /// The number of live messages.
    case messages
    /// The number of sessions, including those of unplugged monitors.
    case sessions
    /// The number of monitors with a chosen mode or rotation.
    case choices
    /// The total size of all messages and sessions, in bytes.
    case bytes
  }

  /// A display would mirror itself, or a display that is itself a mirror.
  case mirror(String, of: String, thatMirrors: String)
  /// The scene for the board has this kind instead of `board`.
  case noBoard(kind: String)
  /// Several cards of a board have this ID.
  case doubledCard(String)

  /// The error as one sentence.
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
