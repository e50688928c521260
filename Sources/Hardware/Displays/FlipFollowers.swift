import Synchronization

/// A completed flip, as reported by the card.
package struct Flip: Hashable, Sendable {
  /// The CRTC's object ID.
  package var crtc: UInt32
  /// The driver's vblank sequence number; 0 if the driver has no vertical blanks.
  package var sequence: UInt32
  /// The time in nanoseconds of CLOCK_MONOTONIC; 0 if the driver does not report one.
  package var time: UInt64
  /// The number of the plan that enabled the output with this buffer (`ModesetPlan.number`); 0 for the flip of a
  /// presented frame.
  package var modeset: UInt32

  /// Creates a flip.
  package init(crtc: UInt32, sequence: UInt32, time: UInt64, modeset: UInt32 = 0) {
    self.crtc = crtc
    self.sequence = sequence
    self.time = time
    self.modeset = modeset
  }
}

/// A handler of a CRTC's flips.
///
/// It runs on the thread that reads flip events and must return quickly.
package final class FlipFollower: Sendable {
  fileprivate let take: @Sendable (Flip) -> Void

  /// Creates a follower.
  ///
  /// - Parameter take: The handler of each flip.
  package init(_ take: @escaping @Sendable (Flip) -> Void) { self.take = take }
}

/// The followers of a card's CRTCs, which receive the flips of presented frames instead of the card's `events`.
///
/// Animations thus continue from flip to flip, independent of the control loop.
package final class FlipFollowers: Sendable {
  private struct State {
    var followers: [UInt32: FlipFollower] = [:]
    var listener: (@Sendable (Flip) -> Void)?
  }

  private let state = Mutex(State())

  /// Creates an empty set of followers.
  package init() {}

  /// Sets the follower of a CRTC, replacing the previous one.
  ///
  /// - Parameters:
  ///   - follower: The follower that receives the CRTC's flips.
  ///   - crtc: The CRTC's object ID.
  package func add(_ follower: FlipFollower, of crtc: UInt32) { state.withLock { $0.followers[crtc] = follower } }

  /// Removes the follower of a CRTC.
  ///
  /// Has no effect if the CRTC has another follower.
  ///
  /// - Parameters:
  ///   - follower: The follower to remove.
  ///   - crtc: The CRTC's object ID.
  package func remove(_ follower: FlipFollower, of crtc: UInt32) {
    state.withLock { if $0.followers[crtc] === follower { $0.followers[crtc] = nil } }
  }

  /// Removes all followers, as when the card is closed.
  package func end() { state.withLock { $0.followers = [:] } }

  /// Sets the listener, which observes every flip before the followers without consuming it.
  ///
  /// - Parameter listener: The listener, which replaces the previous one.
  package func listen(_ listener: @escaping @Sendable (Flip) -> Void) { state.withLock { $0.listener = listener } }

  /// Notifies the listener of a flip, and the CRTC's follower if the flip is not a modeset's.
  ///
  /// - Parameter flip: The flip.
  /// - Returns: False if no follower received it.
  package func deliver(_ flip: Flip) -> Bool {
    let (listener, follower) = state.withLock { ($0.listener, flip.modeset == 0 ? $0.followers[flip.crtc] : nil) }
    listener?(flip)
    follower?.take(flip)
    return follower != nil
  }
}
