/// The reason why the session model rejects a change, with the next step in its description.
package enum SessionModelError: Error, Hashable, Sendable, CustomStringConvertible {
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

  /// The limits: `SessionModel.mostMessages` and so on.
  package enum Full: Hashable, Sendable {
    /// The number of live messages.
    case messages
    /// The number of sessions, including those of unplugged monitors.
    case sessions
    /// The number of monitors with a chosen mode or rotation.
    case choices
    /// The number of library entries.
    case entries
    /// The number of live values.
    case values
    /// The total size of all messages, sessions and library entries, in bytes.
    case bytes
  }

  /// A display would mirror itself, or a display that is itself a mirror.
  case mirror(String, of: String, thatMirrors: String)
  /// The scene for the board has this kind instead of `board`.
  case noBoard(kind: String)
  /// Several cards of a board have this ID.
  case doubledCard(String)

  /// The library entry with this name does not exist.
  case noEntry(String)
  /// The live value with this name does not exist.
  case noValue(String)
  /// Another library entry has this name.
  case doubledEntry(String)
  /// The library entry with this name would contain itself.
  case entryLoop(String)
  /// The library entry is in use in these places.
  case entryInUse(String, [String])
  /// The library entry cannot be renamed, because an event in this place shows it by its name.
  case entryNamesEvent(String, String)

  /// The error as one sentence.
  package var description: String {
    switch self {
    case .noSession(let id): "there is no session \(id); `placard sessions` lists them"
    case .noClosedSession(let id): "there is no closed session \(id); `placard sessions --closed` lists the last ones"
    case .noMessage(let id): "there is no message \(id); `placard messages` lists them"
    case .priority(let priority):
      "priority \(priority) is out of range: it must be from \(Message.priorities.lowerBound) to "
        + "\(Message.priorities.upperBound)"
    case .over(let expires, let now):
      "the message would end \(now &- expires) ms in the past; give it a later time"
    case .full(.messages):
      "there are already \(SessionModel.mostMessages) messages, the maximum; remove one with `placard withdraw`"
    case .full(.sessions):
      "there are already \(SessionModel.mostSessions) sessions, the maximum; close one with `placard close`"
    case .full(.choices):
      "modes are already chosen for \(SessionModel.mostChoices) monitors, the maximum; reset one with "
        + "`placard mode DISPLAY --reset`"
    case .full(.entries):
      "there are already \(SessionModel.mostEntries) library entries, the maximum; remove one with "
        + "`placard library remove`"
    case .full(.values):
      "there are already \(SessionModel.mostValues) values, the maximum; remove one with `placard unset`"
    case .full(.bytes):
      "all messages, sessions and library entries together would take more than \(SessionModel.mostBytes >> 20) MiB, "
        + "the maximum; remove some with `placard withdraw`, `placard close` or `placard library remove`"
    case .mirror(let display, let mirrored, _) where mirrored == display:
      "\(display) cannot mirror itself; open the mirror on another display"
    case .mirror(let display, let mirrored, let further) where further == display:
      "\(display) and \(mirrored) cannot mirror each other; show something else on one of them"
    case .mirror(let display, let mirrored, let further):
      "\(display) cannot mirror \(mirrored), which mirrors \(further); mirror \(further) instead, or show something else "
        + "on \(mirrored)"
    case .noEntry(let name): "there is no library entry \(name); `placard library` lists them"
    case .noValue(let name): "there is no value \(name); `placard values` lists them"
    case .doubledEntry(let name): "there is already a library entry \(name); choose another name or remove it first"
    case .entryLoop(let name): "the library entry \(name) would contain itself; leave out the reference to it"
    case .entryInUse(let name, let uses): "the library entry \(name) is in use: \(uses.listed); change these first"
    case .entryNamesEvent(let name, let place):
      "the library entry \(name) has the name of \(place), which shows it; rename the event first"
    case .noBoard(let kind): "the board must be a scene of kind `board`, but this is a `\(kind)`"
    case .doubledCard(let id): "two cards have the id \(id): give each its own id, or leave it out to have one assigned"
    }
  }
}

extension [String] {
  /// The first elements, separated by commas, and the number of further ones.
  fileprivate var listed: String {
    prefix(5).joined(separator: ", ") + (count > 5 ? " and \(count - 5) more" : "")
  }
}
