import CLinux
import Glibc

/// The signals that the service acts on, taken in turn by the main thread.
///
/// They are blocked before any other thread starts, since a thread inherits the mask of the one that makes it; then
/// sigwaitinfo(2) hands them out, and nothing runs in a handler's narrow world.
struct Signals {
  /// What a signal asks for.
  enum Request {
    case end
    case reload
  }

  private let set: sigset_t

  /// Blocks them for this thread and all that come after. A peer that closes a socket is an error there, no signal.
  init() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, number) }
    self.set = set
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    var ignored = sigset_t()
    unsafe sigemptyset(&ignored)
    unsafe sigaddset(&ignored, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &ignored, nil)
  }

  /// Waits for one that asks for the end.
  ///
  /// - Returns: False where none came in this time.
  func ends(within limit: Duration) -> Bool {
    let end = ContinuousClock.now + limit
    var set = set
    while true {
      let left = end - .now
      guard left > .zero else { return false }
      let (seconds, attoseconds) = left.components
      var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
      let number = unsafe sigtimedwait(&set, nil, &time)
      if number == SIGTERM || number == SIGINT { return true }
    }
  }

  /// Waits for the next one.
  func next() -> Request {
    var set = set
    while true {
      switch unsafe sigwaitinfo(&set, nil) {
      case SIGTERM, SIGINT: return .end
      case SIGHUP: return .reload
      default: continue
      }
    }
  }
}
