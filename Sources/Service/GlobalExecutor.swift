import CLinux
import NIOCore
import NIOPosix
import Recording

/// Points Swift's global executor at NIO's singleton loop, so that no job ever reaches libdispatch's pool.
///
/// `NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor` does the same, but looks the
/// hook up with `dlsym`, finds nothing in a statically linked program, and says so only in its result.
enum GlobalExecutor {
  /// As the runtime calls it: the job, and what it would have done with it.
  private typealias Hook = @convention(thin) (UnownedJob, @convention(thin) (UnownedJob) -> Void) -> Void

  /// Must be called on the main thread, before the first task.
  static func take() {
    let hook: Hook = { job, _ in
      let loop = NIOSingletons.posixEventLoopGroup.any()
      let executor = unsafe loop.executor.asUnownedSerialExecutor()
      loop.execute { unsafe job.runSynchronously(on: executor) }
    }
    // A thin function is one address, which is what the runtime calls.
    unsafe placard_set_global_hook(unsafeBitCast(hook, to: UnsafeMutableRawPointer.self))
  }

  /// The same for a process that replays: all jobs are done by the replay's loop, one after the other.
  static func takeForReplays() {
    let hook: Hook = { job, original in
      guard let loop = Replay.loop else { return original(job) }
      let executor = unsafe loop.executor.asUnownedSerialExecutor()
      loop.execute { unsafe job.runSynchronously(on: executor) }
    }
    unsafe placard_set_global_hook(unsafeBitCast(hook, to: UnsafeMutableRawPointer.self))
  }
}
