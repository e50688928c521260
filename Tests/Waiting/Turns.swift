import Dispatch
public import NIOCore
import NIOPosix
import Synchronization
public import Testing

/// The jobs of an actor and of those that work for it, and a way to wait for a state that one of them brings about.
///
/// The actor and the others run on loops from `observed(_:)`. After each of their jobs, the awaited conditions are checked.
/// Nothing spins.
public final class Turns: Sendable {
  private struct Waiter {
    let id: Int
    let isOnActor: Bool
    let condition: @Sendable () -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var nextID = 0
    var waiters: [Waiter] = []
  }

  /// The loop of time limits: a job that hangs can block the actor's.
  private static let limits = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

  private let base: any EventLoop
  private let state = Mutex(State())

  /// Creates the turns of an actor.
  ///
  /// - Parameter base: The event loop that runs the jobs.
  public init(on base: any EventLoop) { self.base = base }

  /// Returns an event loop that runs its jobs on another one, and checks the conditions after each.
  ///
  /// - Parameter loop: The loop that runs the jobs; nil for the actor's own.
  /// - Returns: The event loop.
  public func observed(_ loop: (any EventLoop)? = nil) -> any EventLoop { ObservedLoop(loop ?? base, self) }

  /// Checks the conditions now, for a change in the middle of a job.
  public func signal() { check() }

  /// Waits until a condition is true.
  ///
  /// After the time limit, the run counts as hung: it records an issue and returns.
  ///
  /// - Parameters:
  ///   - limit: The time limit.
  ///   - onActor: Whether the condition is called only on the actor's thread, between two of its jobs, so that it may
  ///     read the actor's state with `assumeIsolated`.
  ///   - sourceLocation: The place of the issue.
  ///   - condition: The condition.
  public func wait(
    within limit: TimeAmount = .minutes(10), onActor: Bool = true, sourceLocation: SourceLocation = #_sourceLocation,
    until condition: @escaping @Sendable () -> Bool
  ) async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    var end: Scheduled<Void>?
    let isMet = await withCheckedContinuation { continuation in
      state.withLock {
        $0.waiters.append(Waiter(id: id, isOnActor: onActor, condition: condition, continuation: continuation))
      }
      // Not before the waiter is in the list: the end of a short limit would not find it.
      end = Self.limits.scheduleTask(in: limit) { [self] in
        remove { $0.id == id }?.continuation.resume(returning: false)
      }
      signal()
    }
    end?.cancel()
    if !isMet { Issue.record("the condition was still false after the time limit", sourceLocation: sourceLocation) }
  }

  /// Waits until the actor's queued jobs, and their immediate successors, have run.
  public func flush() async {
    for _ in 0..<16 { try? await base.submit {}.get() }
  }

  fileprivate func check() {
    let waiters = state.withLock { $0.waiters }
    check(waiters) { !$0.isOnActor }
    guard waiters.contains(where: \.isOnActor) else { return }
    if base.inEventLoop { check(waiters, where: \.isOnActor) } else { base.execute { [self] in checkOnActor() } }
  }

  private func checkOnActor() { check(state.withLock { $0.waiters }, where: \.isOnActor) }

  private func check(_ waiters: [Waiter], where isIncluded: (Waiter) -> Bool) {
    for waiter in waiters where isIncluded(waiter) && waiter.condition() {
      remove { $0.id == waiter.id }?.continuation.resume(returning: true)
    }
  }

  private func remove(_ isIt: (Waiter) -> Bool) -> Waiter? {
    state.withLock { state in
      state.waiters.firstIndex(where: isIt).map { state.waiters.remove(at: $0) }
    }
  }
}

/// An event loop that reports the end of each job.
private final class ObservedLoop: NIOSerialEventLoopExecutor {
  private let base: any EventLoop
  private let turns: Turns

  init(_ base: any EventLoop, _ turns: Turns) { (self.base, self.turns) = (base, turns) }

  var inEventLoop: Bool { base.inEventLoop }

  var now: NIODeadline { base.now }

  func execute(_ task: @escaping @Sendable () -> Void) {
    base.execute { [turns] in
      task()
      turns.check()
    }
  }

  func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
    base.scheduleTask(deadline: deadline) { [turns] in
      defer { turns.check() }
      return try task()
    }
  }

  func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
    scheduleTask(deadline: now + delay, task)
  }

  func preconditionInEventLoop(file: StaticString, line: UInt) { precondition(inEventLoop, file: file, line: line) }

  func preconditionNotInEventLoop(file: StaticString, line: UInt) {
    precondition(!inEventLoop, file: file, line: line)
  }

  // The loop that runs the jobs is shut down by its owner.
  func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
    callback(nil)
  }
}
