import CLinux
import NIOCore
import NIOPosix
import Recording

/// A hook that redirects Swift's global executor to NIO's singleton loop, so that no job uses libdispatch's pool.
///
/// `NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor` does the same but looks up
/// the hook with `dlsym`. That fails in a statically linked program and is reported only in the return value.
enum GlobalExecutor {
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

  /// Installs a hook for a replay process, whose loop runs all jobs one after the other.
  static func installForReplay() {
    let hook: Hook = { job, original in
      guard let loop = Replay.loop else { return original(job) }
      let executor = unsafe loop.executor.asUnownedSerialExecutor()
      loop.execute { unsafe job.runSynchronously(on: executor) }
    }
    unsafe placard_set_global_hook(unsafeBitCast(hook, to: UnsafeMutableRawPointer.self))
  }
}
