/// What happens to the machine as a whole.
public enum PowerEvent: Hashable, Sendable {
  /// The machine is about to sleep (suspend or hibernate). It waits until `Logind.release()`, but not longer than
  /// InhibitDelayMaxSec of logind.conf, 5 s.
  case willSleep
  /// The machine is awake again, or did not go to sleep after all. It also comes where it will never be known, since
  /// the bus or logind went away meanwhile.
  case resumed
  /// The lid is closed: at the start, if it is, and whenever that changes.
  case lidClosed
  /// The lid is open again.
  case lidOpened
}
