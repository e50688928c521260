import CLinux
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Tells of signals where they can do no harm: a handler (signal-safety(7)) writes their numbers into a pipe, and an
/// event loop reads them there. One at a time in a process.
final class SignalWatch: Sendable {
  private let signals: [Int32]
  private let reader: any Channel

  /// Calls `take` on an event loop for each of these signals that comes from now on.
  init(_ signals: [Int32], _ take: @escaping @Sendable (Int32) -> Void) async throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Failure(.refused, "No pipe could be made: \(FileBytes.text(errno)).") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A full pipe must not stop the program in its handler; what it holds says enough.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    do {
      reader = try await NIOPipeBootstrap(group: loop).channelInitializer { channel in
        channel.pipeline.addHandler(SignalReader(take))
      }.takingOwnershipOfDescriptor(input: ends[0]).get()
    } catch {
      Glibc.close(ends[1])
      throw Failure(.refused, "Signals cannot be read: \(error).")
    }
    self.signals = signals
    signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
    for number in signals { _ = signal(number, note) }
  }

  /// Signals do again what they do by themselves.
  func stop() {
    for number in signals { _ = signal(number, SIG_DFL) }
    let end = signalPipe.exchange(-1, ordering: .sequentiallyConsistent)
    if end >= 0 { close(end) }
    reader.close(promise: nil)
  }
}

/// Where the handler writes to; negative for nowhere.
private let signalPipe = Atomic<Int32>(-1)

/// The handler. Nothing in it takes memory or a lock; errno stays as whoever was interrupted left it.
private func note(_ signal: Int32) {
  let pipe = signalPipe.load(ordering: .sequentiallyConsistent)
  let before = errno
  var number = UInt8(truncatingIfNeeded: signal)
  if pipe >= 0 { _ = unsafe write(pipe, &number, 1) }
  errno = before
}

/// Takes numbers of signals out of the pipe.
private final class SignalReader: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let take: @Sendable (Int32) -> Void

  init(_ take: @escaping @Sendable (Int32) -> Void) { self.take = take }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    for number in Self.unwrapInboundIn(data).readableBytesView { take(Int32(number)) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
