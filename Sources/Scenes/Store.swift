/// What is to be seen where, as far as anybody said so: seats with their sessions, and messages.
///
/// A pure value: it knows no hardware, no clock and no file. A display is one connector's name, a monitor an identity, a
/// place the port that tells twins (monitors of one identity) apart. All times are milliseconds since 1970; `now` is
/// what the clock says, which may have been set back.
///
/// - `Store+Seats`: monitors come, go and sleep.
/// - `Store+Sessions`: scenes are opened, moved, scrolled and closed.
/// - `Store+Closed`: sessions that ended, and are opened again.
/// - `Store+Messages`: messages are posted, withdrawn, acknowledged, and end.
/// - `Store+Board`: the controller's board of cards, and those of them that are open.
/// - `Store+Mirrors`: mirrors of mirrors, which are refused.
/// - `Store+Bounds`: how much of all that there may be.
/// - `Store+Shown`: what a display shows of all that.
/// - `Store+Events`: what happened from one store to another.
/// - `Store+Records`: all of it as records that outlive the service; `Store+Restoring`: and back.
public struct Store: Hashable, Sendable {
  /// By number.
  var allSeats: [Seat] = []
  /// Sessions without a monitor yet, by number.
  public internal(set) var reservations: [Reservation] = []
  /// By number.
  var allMessages: [Message] = []
  /// Sessions that ended, the newest last; `mostClosed` of them.
  var closed: [ClosedSession] = []
  /// The last numbers that were given.
  var last = LastNumbers()
  /// The controller's board: a scene of kind `board` whose cards all have ids, each another one.
  public internal(set) var board = Scene(.board(Board(columns: [])))

  /// A store of nothing. Its numbers begin after this one.
  public init(after number: Int = 0) { last = LastNumbers(seat: number, number: number) }

  /// The last numbers that were given: none is given twice.
  struct LastNumbers: Hashable, Sendable {
    /// Of seats.
    var seat = 0
    /// Of sessions and messages alike.
    var number = 0

    mutating func nextSeat() -> Int {
      seat += 1
      return seat
    }

    mutating func nextNumber() -> Int {
      number += 1
      return number
    }
  }

  /// The time of what is raised or posted now: later than all before, so that the newest word counts even where the clock
  /// was set back, as machines without a battery for it do at each start.
  func stamp(_ now: Int64) -> Int64 {
    let newest = (sessions.map(\.raised) + allMessages.map(\.changed)).max()
    return newest.map { max(now, $0 &+ 1) } ?? now
  }
}
