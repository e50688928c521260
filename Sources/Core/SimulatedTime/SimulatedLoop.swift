package import Dispatch
package import NIOCore

/// An event loop in simulated time, which stands for one thread of the service.
package final class SimulatedLoop: NIOSerialEventLoopExecutor {
  private let schedule: SimulatedSchedule
  private let number: Int

  init(_ number: Int, of schedule: SimulatedSchedule) {
    self.number = number
    self.schedule = schedule
  }

  /// Whether the calling code runs on this loop.
  package var inEventLoop: Bool { schedule.isRunning(number) }

  /// The time of the clock.
  package var now: NIODeadline { .uptimeNanoseconds(schedule.time) }

  /// Runs a task after the tasks that the loop already has.
  package func execute(_ task: @escaping @Sendable () -> Void) { schedule.add(task, to: number) }

  /// Runs a task when a time has passed.
  package func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
    scheduleTask(deadline: now + delay, task)
  }

  /// Runs a task at a time of the clock.
  package func scheduleTask<T>(
    deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T
  ) -> Scheduled<T> {
    let promise = makePromise(of: T.self)
    let timer = schedule.schedule(at: deadline.uptimeNanoseconds, on: number) {
      do { promise.assumeIsolated().succeed(try task()) } catch { promise.fail(error) }
    } cancel: {
      promise.fail(EventLoopError.cancelled)
    }
    return Scheduled(promise: promise) { [schedule] in schedule.cancel(timer) }
  }

  /// Traps if the calling code does not run on this loop.
  package func preconditionInEventLoop(file: StaticString, line: UInt) {
    precondition(inEventLoop, file: file, line: line)
  }

  /// Traps if the calling code runs on this loop.
  package func preconditionNotInEventLoop(file: StaticString, line: UInt) {
    precondition(!inEventLoop, file: file, line: line)
  }

  /// Does nothing: the clock has no thread to end.
  package func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
    callback(nil)
  }
}
