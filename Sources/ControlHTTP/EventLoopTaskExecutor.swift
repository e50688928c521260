import NIOCore

/// Runs tasks on an event loop.
///
/// A task without such a preference starts on Swift's global pool, and libdispatch then wakes the process every second
/// for ever (swift-corelibs-libdispatch, src/event/workqueue.c).
final class EventLoopTaskExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
