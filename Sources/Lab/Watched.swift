import CLinux
import Glibc

/// A value behind a lock, on whose changes other threads can wait.
///
/// The standard library's Mutex has no condition to wait on; this is pthread's pair, on CLOCK_MONOTONIC so that a set
/// clock does not move deadlines.
@safe final class Watched<Value>: @unchecked Sendable {
  // Unchecked: `value` is read and written only between pthread_mutex_lock and _unlock of `mutex`; the two pointers
  // never change after init
  // and are freed at deinit (which is why the class may call itself @safe).
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  init(_ value: Value) {
    self.value = value
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Reads or changes the value, then wakes every waiter to look again.
  @discardableResult
  func update<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
    return body(&value)
  }

  /// Looks at the value now and after every change, until `body` gives something or the deadline passes (nil).
  func wait<Result>(until deadline: Deadline, _ body: (inout Value) -> Result?) -> Result? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    var moment = deadline.timespec
    while true {
      if let result = body(&value) { return result }
      // Anything but 0 is ETIMEDOUT here: the value was looked at just before, under the same lock.
      if unsafe pthread_cond_timedwait(condition, mutex, &moment) != 0 { return body(&value) }
    }
  }
}

/// Runs `body` on a thread of its own, detached, with every signal blocked (they belong to the program's own threads).
func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) throws(LabError) {
  let box = unsafe Unmanaged.passRetained(ThreadBody(run: body))
  var old = sigset_t()
  var all = sigset_t()
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &old)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &old, nil) }
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
    throw LabError.system("start the thread \(name)", code: code)
  }
  pthread_detach(thread)
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}
