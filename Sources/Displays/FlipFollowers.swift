import Synchronization

/// A flip as the card told of it.
public struct Flip: Hashable, Sendable {
  /// The CRTC's object id.
  public var crtc: UInt32
  /// As the driver counts vertical blanks; 0 where it has none.
  public var sequence: UInt32
  /// Nanoseconds of CLOCK_MONOTONIC; 0 where the driver does not say.
  public var time: UInt64

  /// A flip from its parts.
  public init(crtc: UInt32, sequence: UInt32, time: UInt64) {
    self.crtc = crtc
    self.sequence = sequence
    self.time = time
  }
}

/// Takes a CRTC's flips in, on the thread that reads them: its call is short.
public final class FlipFollower: Sendable {
  fileprivate let take: @Sendable (Flip) -> Void

  /// A follower from what it does.
  public init(_ take: @escaping @Sendable (Flip) -> Void) { self.take = take }
}

/// Who hears of the flips of a card's CRTCs before anybody else, and instead of its `events`: what moves goes on from flip
/// to flip, whatever else there is to decide meanwhile.
public final class FlipFollowers: Sendable {
  private struct State {
    var followers: [UInt32: FlipFollower] = [:]
    var listener: (@Sendable (Flip) -> Void)?
  }

  private let state = Mutex(State())

  /// Nobody follows yet.
  public init() {}

  /// A CRTC's flips go to this follower from now on, and to the one before no more.
  public func add(_ follower: FlipFollower, of crtc: UInt32) { state.withLock { $0.followers[crtc] = follower } }

  /// They go to this follower no more; another one stays.
  public func remove(_ follower: FlipFollower, of crtc: UInt32) {
    state.withLock { if $0.followers[crtc] === follower { $0.followers[crtc] = nil } }
  }

  /// Nobody follows any more, as where the card is given back.
  public func end() { state.withLock { $0.followers = [:] } }

  /// Has somebody hear of every flip first, who takes none. There is one listener: the newest.
  public func listen(_ listener: @escaping @Sendable (Flip) -> Void) { state.withLock { $0.listener = listener } }

  /// Tells of a flip; false where nobody follows.
  public func tell(_ flip: Flip) -> Bool {
    let (listener, follower) = state.withLock { ($0.listener, $0.followers[flip.crtc]) }
    listener?(flip)
    follower?.take(flip)
    return follower != nil
  }
}
