import Glibc
import NIOCore
import NIOPosix

/// The threads of the service: one that decides and hears of events, one that hears of flips, one for calls that block, and
/// the painters'.
///
/// The control loop is NIO's singleton, and Swift's global executor is pointed at it: a job that lands on libdispatch's
/// pool would arm a timer there that wakes the process every second for ever.
struct Loops {
  /// Director, HTTP, the supervisor, uevents.
  let control: any EventLoop
  /// Flip events: what moves must not wait for what is decided.
  let flips: any EventLoop
  /// Probes and modesets.
  let blocking: any EventLoop
  /// The archive, which waits for the disk: a monitor's slow probe must not hold up a command's answer.
  let disk: any EventLoop
  /// Pictures of what is on the glass become files: that takes longer than a frame, and must not delay one.
  let press: any EventLoop
  /// One for each painter: the cores less one, but two at least, so that a new monitor's first picture does not hold up what
  /// moves on another one.
  let lanes: [any EventLoop]

  private let group: MultiThreadedEventLoopGroup

  /// Must be called on the main thread, once.
  static func start() -> Loops {
    NIOSingletons.groupLoopCountSuggestion = 1
    GlobalExecutor.take()
    let lanes = max(2, System.coreCount - 1)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 4 + lanes)
    var loops: [any EventLoop] = []
    for loop in group.makeIterator() { loops.append(loop) }
    for loop in loops.prefix(3) { loop.execute { stepBack() } }
    return Loops(
      control: NIOSingletons.posixEventLoopGroup.next(), flips: loops[3], blocking: loops[0], disk: loops[1],
      press: loops[2], lanes: Array(loops.dropFirst(4)), group: group)
  }

  /// The calling thread lets those go first that keep time: what moves beside a probe or a modeset is drawn by others. On
  /// Linux each thread has a niceness of its own (nice(2)), and being nicer needs no privilege.
  private static func stepBack() { _ = nice(5) }
}
