import Dispatch
import Glibc
import NIOCore
import Synchronization

/// An event loop whose time is not that of the world: it goes on when everything that was to be done is done.
///
/// All work is done by the thread that is inside `run`, one job after the other, so that what comes out is the same each
/// time. Director and painters run on it.
final class ReplayLoop: NIOSerialEventLoopExecutor {
  private struct Timer {
    var due: UInt64
    var number: Int
    var task: @Sendable () -> Void
    var cancel: @Sendable () -> Void
  }

  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// By when they are due, then by when they were made.
    var timers: [Timer] = []
    var made = 0
    var now: UInt64
    var thread: pthread_t?
  }

  /// How many timers may go off between two lines of a recording: no service that recorded it did so much by itself.
  private static let mostTimers = 20_000

  private let state: Mutex<State>

  /// The loop of the newest replay.
  static let current = Mutex<ReplayLoop?>(nil)

  /// A loop at this time, in nanoseconds of CLOCK_MONOTONIC.
  init(at time: UInt64) { state = Mutex(State(now: time)) }

  /// The time, in nanoseconds.
  var time: UInt64 { state.withLock { $0.now } }

  // MARK: Running

  /// Makes the calling thread that of the loop for the length of `body`.
  func own<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.current.withLock { $0 = self }
    state.withLock { $0.thread = pthread_self() }
    defer { state.withLock { $0.thread = nil } }
    return try body()
  }

  /// Does everything that is to be done until a time, which it is afterwards. False where that has no end.
  func run(until time: UInt64) -> Bool {
    drain()
    for _ in 0..<Self.mostTimers {
      guard let timer = state.withLock({ Self.takeDue(&$0, until: time) }) else {
        state.withLock { $0.now = max($0.now, time) }
        return true
      }
      timer.task()
      drain()
    }
    return false
  }

  /// Does everything that is to be done now.
  func drain() {
    while case let jobs = state.withLock({ state in Self.takeJobs(&state) }), !jobs.isEmpty {
      for job in jobs { job() }
    }
  }

  /// Drops what was put off.
  func cancelTimers() {
    let timers = state.withLock { state in
      defer { state.timers = [] }
      return state.timers
    }
    for timer in timers { timer.cancel() }
  }

  private static func takeJobs(_ state: inout State) -> [@Sendable () -> Void] {
    defer { state.jobs = [] }
    return state.jobs
  }

  private static func takeDue(_ state: inout State, until time: UInt64) -> Timer? {
    guard let next = state.timers.last, next.due <= time else { return nil }
    state.now = max(state.now, next.due)
    return state.timers.popLast()
  }

  // MARK: EventLoop

  var inEventLoop: Bool {
    state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  var now: NIODeadline { .uptimeNanoseconds(time) }

  func execute(_ task: @escaping @Sendable () -> Void) { state.withLock { $0.jobs.append(task) } }

  func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
    scheduleTask(deadline: now + delay, task)
  }

  func scheduleTask<T>(
    deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T
  ) -> Scheduled<T> {
    let promise = makePromise(of: T.self)
    let number = insert(due: deadline.uptimeNanoseconds) {
      do { promise.assumeIsolated().succeed(try task()) } catch { promise.fail(error) }
    } cancel: {
      promise.fail(EventLoopError.cancelled)
    }
    return Scheduled(promise: promise) { [weak self] in self?.forget(number) }
  }

  private func insert(
    due: UInt64, _ task: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void
  ) -> Int {
    state.withLock { state in
      state.made += 1
      let timer = Timer(due: due, number: state.made, task: task, cancel: cancel)
      // The next one is last. There are few: a timer or two for each display.
      let place = state.timers.firstIndex { $0.due <= due } ?? state.timers.count
      state.timers.insert(timer, at: place)
      return state.made
    }
  }

  private func forget(_ number: Int) { state.withLock { $0.timers.removeAll { $0.number == number } } }

  func preconditionInEventLoop(file: StaticString, line: UInt) { precondition(inEventLoop, file: file, line: line) }

  func preconditionNotInEventLoop(file: StaticString, line: UInt) {
    precondition(!inEventLoop, file: file, line: line)
  }

  // NIO's protocol has the queue; there is nothing to shut down.
  func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
    callback(nil)
  }
}
