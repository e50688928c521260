import NIOCore

/// A task executor that runs tasks on an event loop.
///
/// A task without this preference starts on Swift's global pool, after which libdispatch wakes the process every second
/// forever (swift-corelibs-libdispatch, src/event/workqueue.c).
final class EventLoopTaskExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
