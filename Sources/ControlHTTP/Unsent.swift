import Access
import NIOCore

/// What was written to a client and is not yet with the kernel. A value, without a channel or a clock.
struct Unsent {
  /// A part of an answer, or some events in one write.
  struct Piece {
    var bytes: Int
    /// The number of events; 0 for an answer.
    var events = 0
  }

  private var pieces = 0
  private var events = (count: 0, bytes: 0)
  /// When the client was last given something while it had taken everything before.
  private(set) var began = NIODeadline.distantPast
  private var lastTaken = NIODeadline.distantPast
  /// The bytes that the client has taken since `began`.
  private var taken = 0

  /// Whether the client has taken everything.
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

  /// The limit that more events would exceed; nil where they may be written.
  func excess(_ limits: AccessLimits) -> AccessLimit? {
    if events.count >= limits.events { return .events }
    return events.bytes >= limits.eventBytes ? .eventBytes : nil
  }

  /// By when the client must take something, and which limit it exceeds otherwise; nil where it has taken everything.
  func due(_ limits: AccessLimits) -> (limit: AccessLimit, time: NIODeadline)? {
    guard !isEmpty else { return nil }
    let stalled = lastTaken + .seconds(Int64(limits.stalledSeconds))
    let slow = began + .seconds(Int64(limits.answerSeconds + taken / limits.answerRate))
    return stalled <= slow ? (.stalledSeconds, stalled) : (.answerRate, slow)
  }
}
