import CLinux
import Glibc

/// The signals that the daemon handles, received one by one on the main thread.
///
/// They are blocked before any other thread starts, because threads inherit the signal mask. sigwaitinfo(2) then
/// receives them, so no code is restricted to async-signal-safe functions.
struct Signals {
  /// The action that a signal requests.
  enum Request {
    case end
    case reload
  }

  private let set: sigset_t

  /// Blocks the signals for all threads, and SIGPIPE so that a closed peer causes an EPIPE error instead.
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

  /// Waits for a termination signal; other signals are discarded.
  ///
  /// - Parameter limit: The maximum time to wait.
  /// - Returns: Whether a termination signal arrived in time.
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

  /// Waits for the next signal and returns its action.
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
