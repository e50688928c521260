import CLinux
import NIOCore
import NIOPosix

/// A hook that runs the jobs of Swift's global executor on NIO's singleton event loops instead of libdispatch's pool.
///
/// The pool counts its threads in /proc/self/task and ends the program if /proc is not mounted (libdispatch,
/// `_dispatch_workq_monitor_pools`).
package enum GlobalLoop {
  /// The runtime's signature of the hook: the job, and the function of the default executor.
  private typealias Hook = @convention(thin) (UnownedJob, @convention(thin) (UnownedJob) -> Void) -> Void

  /// Installs the hook, which must happen on the main thread before the first task.
  package static func install() {
    let hook: Hook = { job, _ in
      let loop = NIOSingletons.posixEventLoopGroup.any()
      let executor = unsafe loop.executor.asUnownedSerialExecutor()
      loop.execute { unsafe job.runSynchronously(on: executor) }
    }
    // A thin function is a single address, which is what the runtime calls.
    unsafe placard_set_global_hook(unsafeBitCast(hook, to: UnsafeMutableRawPointer.self))
  }
}
