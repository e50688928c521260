import NIOCore
import NIOPosix
import Synchronization
import Waiting

@testable import Archive

/// Archives on a separate loop with a manual clock, and their notices.
final class Harness: Sendable {
  let turns = Turns(on: MultiThreadedEventLoopGroup.singleton.next())
  let loop: any EventLoop
  private let time = Atomic<Int64>(1_790_000_000_000)
  private let notices: AsyncStream<ArchiveNotice>
  private let reported: AsyncStream<ArchiveNotice>.Continuation
  private let count = Atomic<Int>(0)

  init() {
    loop = turns.observed()
    (notices, reported) = AsyncStream.makeStream()
  }

  /// The current time, in milliseconds since 1970.
  var now: Int64 {
    get { time.load(ordering: .relaxed) }
    set { time.store(newValue, ordering: .relaxed) }
  }

  /// The number of notices.
  var noticeCount: Int { count.load(ordering: .relaxed) }

  func archive(
    _ path: String?, limits: ArchiveLimits = ArchiveLimits(), patience: TimeAmount = .hours(1),
    calm: TimeAmount = .hours(1)
  ) -> Archive {
    Archive(
      path: path, limits: limits, loop: loop,
      patience: Archive.Patience(first: patience, longest: patience, calm: calm),
      now: { self.now },
      report: { notice in
        self.count.add(1, ordering: .relaxed)
        self.reported.yield(notice)
      })
  }

  /// Waits until the loop has run its current tasks and their immediate results.
  func settle() async {
    for _ in 0..<3 { _ = try? await loop.submit {}.get() }
  }

  /// Waits for the next notice and returns it.
  func notice() async -> ArchiveNotice? {
    for await notice in notices { return notice }
    return nil
  }
}

/// The error of a notice that the test does not expect.
struct Unexpected: Error {}

/// Runs tasks on an event loop.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
