import CLinux
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import SystemCalls

/// A watch that handles signals on an event loop; only one may exist in a process.
///
/// The signal handler may only call async-signal-safe functions (signal-safety(7)), so it writes the signals' numbers
/// to a pipe.
final class SignalWatch: Sendable {
  private let signals: [Int32]
  private let reader: any Channel

  /// Calls `take` on an event loop for each of these signals from now on.
  init(_ signals: [Int32], _ take: @escaping @Sendable (Int32) -> Void) async throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Failure(.refused, "Creating a pipe failed: \(ErrorNumber(errno)).") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A full pipe must not block the handler. The numbers in the pipe are enough.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    do {
      reader = try await NIOPipeBootstrap(group: loop).channelInitializer { channel in
        channel.pipeline.addHandler(SignalReader(take))
      }.takingOwnershipOfDescriptor(input: ends[0]).get()
    } catch {
      Glibc.close(ends[1])
      throw Failure(.refused, "Watching signals failed: \(error).")
    }
    self.signals = signals
    signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
    for number in signals { _ = signal(number, note) }
  }

  /// Restores the default actions of the signals.
  func stop() {
    for number in signals { _ = signal(number, SIG_DFL) }
    let end = signalPipe.exchange(-1, ordering: .sequentiallyConsistent)
    if end >= 0 { close(end) }
    reader.close(promise: nil)
  }
}

/// The pipe's end to which the handler writes; negative if there is none.
private let signalPipe = Atomic<Int32>(-1)

/// Writes a signal's number to the pipe, without allocations and locks.
private func note(_ signal: Int32) {
  let pipe = signalPipe.load(ordering: .sequentiallyConsistent)
  // The interrupted code may be about to read errno (signal-safety(7)).
  let before = errno
  var number = UInt8(truncatingIfNeeded: signal)
  if pipe >= 0 { _ = unsafe write(pipe, &number, 1) }
  errno = before
}

/// A handler that reads signal numbers from the pipe.
private final class SignalReader: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let take: @Sendable (Int32) -> Void

  init(_ take: @escaping @Sendable (Int32) -> Void) { self.take = take }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    for number in Self.unwrapInboundIn(data).readableBytesView { take(Int32(number)) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
