// In an optimized build of this module, sigset_t is the one that <setjmp.h> provides through libjpeg's shim.
import CLinux
import CJPEG
import Glibc

/// Runs `body` on a new detached thread with all signals blocked, because the program's other threads handle signals.
///
/// - Parameter body: The work of the thread.
/// - Returns: Whether the thread was started; if not, errno has the reason.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  let box = unsafe Unmanaged.passRetained(ThreadBody(run: body))
  var (all, before) = (sigset_t(), sigset_t())
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  var thread = pthread_t()
  let code = unsafe pthread_create(
    &thread, nil,
    { argument in
      guard let argument = unsafe argument else { return nil }
      let body = unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
      body.run()
      return nil
    }, box.toOpaque())
  guard code == 0 else {
    unsafe box.release()
    errno = code
    return false
  }
  pthread_detach(thread)
  return true
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}
