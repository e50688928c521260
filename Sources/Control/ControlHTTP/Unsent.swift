import Access
import NIOCore

/// The data that was written to a client and that the kernel has not accepted yet.
///
/// It is a value that depends neither on a channel nor on a clock.
struct Unsent {
  /// A part of an answer, or several events in one write.
  struct Piece {
    var bytes: Int
    /// The number of events; 0 for an answer.
    var events = 0
  }

  private var pieces = 0
  private var events = (count: 0, bytes: 0)
  /// The time of the first write after everything before it was sent.
  private(set) var began = NIODeadline.distantPast
  private var lastTaken = NIODeadline.distantPast
  /// The number of bytes sent since `began`.
  private var taken = 0

  /// Whether everything was sent.
  var isEmpty: Bool { pieces == 0 }

  mutating func add(_ piece: Piece, at now: NIODeadline) {
    if pieces == 0 { (began, lastTaken, taken) = (now, now, 0) }
    pieces += 1
    if piece.events > 0 { events = (events.count + piece.events, events.bytes + piece.bytes) }
  }

  mutating func remove(_ piece: Piece, at now: NIODeadline) {
    pieces -= 1
    taken += piece.bytes
    lastTaken = now
    if piece.events > 0 { events = (events.count - piece.events, events.bytes - piece.bytes) }
  }

  /// Returns the limit that more events would exceed, or nil if they may be written.
  func excess(_ limits: AccessLimits) -> AccessLimit? {
    if events.count >= limits.events { return .events }
    return events.bytes >= limits.eventBytes ? .eventBytes : nil
  }

  /// Returns the deadline for the client to receive data and the limit that it then exceeds, or nil if everything was
  /// sent.
  func due(_ limits: AccessLimits) -> (limit: AccessLimit, time: NIODeadline)? {
    guard !isEmpty else { return nil }
    let stalled = lastTaken + .seconds(Int64(limits.stalledSeconds))
    let slow = began + .seconds(Int64(limits.answerSeconds + taken / limits.answerRate))
    return stalled <= slow ? (.stalledSeconds, stalled) : (.answerRate, slow)
  }
}
