import CLinux
import NIOCore
import NIOPosix

/// Runs the jobs of Swift's global executor on NIO's singleton loop, so that none reaches libdispatch's pool.
///
/// The pool counts its threads in /proc/self/task, and ends the program where /proc is not mounted
/// (libdispatch, `_dispatch_workq_monitor_pools`).
enum GlobalLoop {
  /// As the runtime calls it: the job, and its default executor's function.
  private typealias Hook = @convention(thin) (UnownedJob, @convention(thin) (UnownedJob) -> Void) -> Void

  /// Must be called on the main thread, before the first task.
  static func install() {
    let hook: Hook = { job, _ in
      let loop = NIOSingletons.posixEventLoopGroup.any()
      let executor = unsafe loop.executor.asUnownedSerialExecutor()
      loop.execute { unsafe job.runSynchronously(on: executor) }
    }
    // A thin function is one address, which is what the runtime calls.
    unsafe placard_set_global_hook(unsafeBitCast(hook, to: UnsafeMutableRawPointer.self))
  }
}
