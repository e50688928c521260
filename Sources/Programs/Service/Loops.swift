import Glibc
import NIOCore
import NIOPosix

/// The threads of the daemon: for control, flips, blocking calls, the disk, image encoding, shutdown, and rendering.
///
/// All are started at the beginning: NIO ends the process if a thread cannot be created, as in a control group without
/// memory.
///
/// The control loop is NIO's singleton, to which Swift's global executor is redirected. A job on libdispatch's pool
/// would start a timer there that wakes the process every second indefinitely.
struct Loops {
  /// The control loop: director, HTTP, card supervisor, and uevents.
  let control: any EventLoop
  /// The loop for flip events, separate so that animation does not wait for control work.
  let flips: any EventLoop
  /// The loops for probes and modesets, on which cards are distributed, so that a call that hangs in the driver of one
  /// card does not block the others.
  let blocking: [any EventLoop]
  /// The loop that waits for the disk, so that a slow probe of a monitor does not delay the reply to a command.
  let disk: any EventLoop
  /// The loop that encodes screenshots, which takes longer than a frame and must not delay one.
  let imageLoop: any EventLoop
  /// The loop that limits the time of the shutdown.
  let shutdown: any EventLoop
  /// The render threads: one fewer than the cores, but at least two.
  ///
  /// With two, the first frame of a new monitor does not delay animation on another one.
  let renderLoops: [any EventLoop]

  private let group: MultiThreadedEventLoopGroup

  /// Starts all threads; must be called on the main thread, once.
  static func start() -> Loops {
    NIOSingletons.groupLoopCountSuggestion = 1
    GlobalExecutor.install()
    let renderLoops = max(2, System.coreCount - 1)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 6 + renderLoops)
    var loops: [any EventLoop] = []
    for loop in group.makeIterator() { loops.append(loop) }
    for loop in loops.prefix(4) { loop.execute { lowerPriority() } }
    return Loops(
      control: NIOSingletons.posixEventLoopGroup.next(), flips: loops[4], blocking: Array(loops[..<2]), disk: loops[2],
      imageLoop: loops[3], shutdown: loops[5], renderLoops: Array(loops.dropFirst(6)), group: group)
  }

  /// Lowers the priority of the calling thread, so that render threads run first during a probe or modeset.
  ///
  /// On Linux each thread has its own nice value (nice(2)), and raising it needs no privilege.
  private static func lowerPriority() { _ = nice(5) }
}
