import Glibc
import Synchronization

/// The work of the loops of a clock, and its time.
final class SimulatedSchedule: Sendable {
  private struct Timer {
    var due: UInt64
    var number: Int
    var loop: Int
    var task: @Sendable () -> Void
    var cancel: @Sendable () -> Void
  }

  /// The jobs of a loop, oldest first.
  private struct Queue {
    private var jobs: [(@Sendable () -> Void)?] = []
    private var first = 0

    var isEmpty: Bool { first == jobs.count }

    mutating func append(_ job: @escaping @Sendable () -> Void) { jobs.append(job) }

    mutating func removeFirst() -> (@Sendable () -> Void)? {
      defer {
        jobs[first] = nil
        first += 1
        if isEmpty { (jobs, first) = ([], 0) }
      }
      return jobs[first]
    }
  }

  private struct State {
    var queues: [Queue]
    /// By due time, the next one last; of timers that are due together, the oldest is last.
    var timers: [Timer] = []
    var timerCount = 0
    var now: UInt64
    var thread: pthread_t?
    var running: Int?
    var jobCount = 0
  }

  private let state: Mutex<State>
  private let choose: @Sendable (Int) -> Int

  init(at time: UInt64, loops: Int, choose: @escaping @Sendable (Int) -> Int) {
    state = Mutex(State(queues: Array(repeating: Queue(), count: loops), now: time))
    self.choose = choose
  }

  var time: UInt64 { state.withLock { $0.now } }

  var jobCount: Int { state.withLock { $0.jobCount } }

  var dueTimes: [UInt64] { state.withLock { $0.timers.reversed().map(\.due) } }

  func own<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.withLock { state in
      state.thread = pthread_self()
      state.running = 0
    }
    defer { state.withLock { $0.thread = nil } }
    return try body()
  }

  func run(until time: UInt64, most: Int) -> Bool {
    drain(most: .max)
    for _ in 0..<most {
      guard let timer = state.withLock({ Self.takeDue(&$0, until: time) }) else {
        state.withLock { $0.now = max($0.now, time) }
        return true
      }
      run(timer.task, on: timer.loop)
      drain(most: .max)
    }
    return false
  }

  func drain(most: Int) {
    var count = 0
    while count < most, let (job, loop) = nextJob() {
      run(job, on: loop)
      count += 1
    }
  }

  func cancelTimers() {
    let timers = state.withLock { state in
      defer { state.timers = [] }
      return state.timers
    }
    for timer in timers { timer.cancel() }
  }

  private func run(_ job: @Sendable () -> Void, on loop: Int) {
    state.withLock { state in
      state.running = loop
      state.jobCount += 1
    }
    job()
    state.withLock { $0.running = 0 }
  }

  private func nextJob() -> ((@Sendable () -> Void), Int)? {
    let ready = state.withLock { state in state.queues.indices.filter { !state.queues[$0].isEmpty } }
    guard !ready.isEmpty else { return nil }
    let loop = ready.count == 1 ? ready[0] : ready[choose(ready.count)]
    return state.withLock { $0.queues[loop].removeFirst() }.map { ($0, loop) }
  }

  private static func takeDue(_ state: inout State, until time: UInt64) -> Timer? {
    guard let next = state.timers.last, next.due <= time else { return nil }
    state.now = max(state.now, next.due)
    return state.timers.popLast()
  }

  // MARK: Loops

  func isRunning(_ loop: Int) -> Bool {
    state.withLock { state in
      state.running == loop && state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }
  }

  func add(_ job: @escaping @Sendable () -> Void, to loop: Int) { state.withLock { $0.queues[loop].append(job) } }

  func schedule(
    at due: UInt64, on loop: Int, _ task: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void
  ) -> Int {
    state.withLock { state in
      state.timerCount += 1
      let timer = Timer(due: due, number: state.timerCount, loop: loop, task: task, cancel: cancel)
      // There are few: one or two for each display.
      let place = state.timers.firstIndex { $0.due <= due } ?? state.timers.count
      state.timers.insert(timer, at: place)
      return state.timerCount
    }
  }

  func cancel(_ timer: Int) { state.withLock { $0.timers.removeAll { $0.number == timer } } }
}
