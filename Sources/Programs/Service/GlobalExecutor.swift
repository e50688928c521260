import CLinux
import NIOCore
import NIOPosix
import SimulatedTime

/// A hook that redirects Swift's global executor to NIO's singleton loop, so that no job uses libdispatch's pool.
///
/// `NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor` does the same but looks up
/// the hook with `dlsym`. That fails in a statically linked program and is reported only in the return value.
package enum GlobalExecutor {
  /// The signature that the runtime calls: the job, and the original implementation.
  private typealias Hook = @convention(thin) (UnownedJob, @convention(thin) (UnownedJob) -> Void) -> Void

  /// Installs the hook; must be called on the main thread, before the first task.
  static func install() {
    let hook: Hook = { job, _ in
      let loop = NIOSingletons.posixEventLoopGroup.any()
      let executor = unsafe loop.executor.asUnownedSerialExecutor()
      loop.execute { unsafe job.runSynchronously(on: executor) }
    }
    // A thin function is a single address, which is what the runtime expects.
    unsafe placard_set_global_hook(unsafeBitCast(hook, to: UnsafeMutableRawPointer.self))
  }

  /// Installs a hook for a process in simulated time, whose clock runs all jobs one after the other.
  package static func installForSimulatedTime() {
    let hook: Hook = { job, original in
      guard let loop = SimulatedClock.globalLoop else { return original(job) }
      let executor = unsafe loop.executor.asUnownedSerialExecutor()
      loop.execute { unsafe job.runSynchronously(on: executor) }
    }
    unsafe placard_set_global_hook(unsafeBitCast(hook, to: UnsafeMutableRawPointer.self))
  }
}
