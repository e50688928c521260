/// The session model: monitor profiles with their sessions, and messages.
///
/// A pure value, independent of hardware, clocks and files. A display is identified by its connector's name and a
/// monitor by its identity. A place is the port that distinguishes twins, which are monitors with the same identity.
/// All times are in milliseconds since 1970. A parameter `now` is the current clock time, which may have been set back.
///
/// - `SessionModel+Seats`: monitors are plugged in, unplugged, put to sleep and woken.
/// - `SessionModel+Sessions`: scenes are opened, moved, scrolled and closed.
/// - `SessionModel+Closed`: closed sessions, which can be reopened.
/// - `SessionModel+Messages`: messages are posted, withdrawn, acknowledged, and expire.
/// - `SessionModel+Board`: the controller's board of cards, and its open cards.
/// - `LiveValue`: values that texts refer to.
/// - `LibraryEntry`: scenes with names, which other scenes refer to.
/// - `SessionModel+Mirrors`: mirrors of mirrors, which are rejected.
/// - `SessionModel+Bounds`: the limits on all of these.
/// - `SessionModel+Shown`: the scene that a display shows.
/// - `SessionModel+Events`: the differences between two models, as events.
/// - `SessionModel+Records`: the model as persistent records.
/// - `SessionModel+Restoring`: the model restored from records.
package struct SessionModel: Hashable, Sendable {
  /// The monitor profiles, by number.
  var allProfiles: [MonitorProfile] = []
  /// The sessions that wait for a monitor, by number.
  package internal(set) var reservations: [Reservation] = []
  /// The live messages, by number.
  var allMessages: [Message] = []
  /// The closed sessions, newest last; at most `mostClosed`.
  var closed: [ClosedSession] = []
  /// The last numbers that were assigned.
  var last = LastNumbers()
  /// The controller's board, a scene of kind `board` whose cards have unique IDs.
  package internal(set) var board = Scene(.board(Board(columns: [])))
  /// The library entries, by name.
  package internal(set) var library: [String: LibraryEntry] = [:]
  /// The live values, by name.
  package internal(set) var values: [String: LiveValue] = [:]

  /// Creates an empty model whose numbers start after this one.
  package init(after number: Int = 0) { last = LastNumbers(profile: number, number: number) }

  /// The last numbers that were assigned; numbers are never reused.
  struct LastNumbers: Hashable, Sendable {
    /// The last number of a monitor profile.
    var profile = 0
    /// The last number of a session or message, which share one sequence.
    var number = 0

    mutating func nextProfile() -> Int {
      profile += 1
      return profile
    }

    mutating func nextNumber() -> Int {
      number += 1
      return number
    }
  }

  /// Returns the timestamp for a session raised or a message posted now.
  ///
  /// The timestamp is later than all previous ones, so that the newest entry wins even if the clock was set back.
  /// Machines without a battery-backed clock start with a wrong time at each boot.
  ///
  /// - Parameter now: The current time, in milliseconds since 1970.
  /// - Returns: The current time, or one millisecond after the newest timestamp if that is later.
  func stamp(_ now: Int64) -> Int64 {
    let newest = (sessions.map(\.raised) + allMessages.map(\.changed)).max()
    return newest.map { max(now, $0 &+ 1) } ?? now
  }
}
