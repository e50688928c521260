import CLinux
import Glibc

/// A value behind a lock, with the ability to wait for its changes.
///
/// The standard library's Mutex has no condition variable. This uses a pthread mutex and condition on CLOCK_MONOTONIC,
/// so changes of the system time do not affect deadlines.
@safe final class ObservableState<Value>: @unchecked Sendable {
  // Unchecked: `value` is accessed only between pthread_mutex_lock and pthread_mutex_unlock of `mutex`. The two
  // pointers are constant after init and freed in deinit, so the class can be declared @safe.
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

  /// Reads or changes the value, then wakes all waiting threads to check it again.
  @discardableResult
  func update<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
    return body(&value)
  }

  /// Evaluates `body` now and after each change, until it returns a value.
  ///
  /// - Parameters:
  ///   - deadline: The end of the wait.
  ///   - body: The function that checks the value under the lock.
  /// - Returns: The result of `body`, or nil after the deadline.
  func wait<Result>(until deadline: Deadline, _ body: (inout Value) -> Result?) -> Result? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    var moment = deadline.timespec
    while true {
      if let result = body(&value) { return result }
      // A code other than 0 means ETIMEDOUT. Check once more, because the value may have changed before the lock was
      // regained.
      if unsafe pthread_cond_timedwait(condition, mutex, &moment) != 0 { return body(&value) }
    }
  }
}

/// Runs `body` on a new detached thread with all signals blocked.
///
/// They belong to the program's own threads.
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
