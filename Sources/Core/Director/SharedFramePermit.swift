import Outputs
import Synchronization

/// The `FramePermit` of one output, shared by the control loop, a render thread and the reader of flip events.
final class SharedFramePermit: Sendable {
  private let permit = Mutex(FramePermit())

  /// The current state.
  var state: FramePermit { permit.withLock { $0 } }

  /// Handles an event. The lock is held for this one transition.
  @discardableResult
  func handle(_ event: FramePermit.Event) -> FramePermit.Answer { permit.withLock { $0.handle(event) } }
}
