/// A change of the machine's power state.
package enum PowerEvent: Hashable, Sendable {
  /// The machine is about to suspend or hibernate.
  ///
  /// logind waits for `Logind.release()`, but at most InhibitDelayMaxSec (logind.conf(5)), by default 5 s.
  case willSleep
  /// The machine has resumed, or the suspend was canceled.
  ///
  /// The event is also sent if the bus or logind exits during a suspend, because the actual end then stays unknown.
  case resumed
  /// The lid is closed.
  ///
  /// Sent at the start if it is closed, and on each change.
  case lidClosed
  /// The lid is open again.
  case lidOpened
}
