import CLinux
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import SystemCalls

/// The controlling terminal of the process (tty(4)), without line editing, echo and signal keys (termios(3)).
///
/// Unlike in raw mode (`cfmakeraw`), its output is still processed.
final class StandardTerminal: Terminal {
  let terminalEvents: AsyncStream<TerminalEvent>

  private let output: Int32
  private let before: termios
  private let input: any Channel
  private let signals: SignalWatch
  private let isClosed = Mutex(false)

  /// Opens the terminal and changes its mode.
  init() async throws(Failure) {
    // The terminal is opened twice: reads do not block, writes do, and the standard streams stay unchanged.
    let reading = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    output = unsafe open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC)
    var now = termios()
    guard reading >= 0, output >= 0, unsafe tcgetattr(output, &now) == 0 else {
      let reason = ErrorNumber(errno)
      for descriptor in [reading, output] where descriptor >= 0 { Glibc.close(descriptor) }
      throw Failure(.refused, "/dev/tty: \(reason).")
    }
    before = now
    let (terminalEvents, happening) = AsyncStream.makeStream(
      of: TerminalEvent.self, bufferingPolicy: .bufferingOldest(256))
    self.terminalEvents = terminalEvents
    do {
      input = try await Self.channel(reading, happening)
      signals = try await SignalWatch([SIGWINCH, SIGINT, SIGTERM, SIGHUP]) { signal in
        happening.yield(signal == SIGWINCH ? .resized : .ended)
      }
    } catch {
      Glibc.close(output)
      throw Failure(.refused, "/dev/tty cannot be read: \(error).")
    }
    now.c_lflag &= ~UInt32(ICANON | ECHO | ISIG | IEXTEN)
    now.c_iflag &= ~UInt32(IXON | ICRNL)
    unsafe tcsetattr(output, TCSADRAIN, &now)
  }

  var size: TerminalSize {
    let size = TerminalSize(of: output) ?? TerminalSize(columns: 0, rows: 0)
    // A serial line reports no size. Programs assume 80 by 24 then.
    return size.columns > 0 && size.rows > 0 ? size : TerminalSize(columns: 80, rows: 24)
  }

  func write(_ bytes: [UInt8]) throws(Failure) {
    do throws(ErrorNumber) {
      try Transfer.write(bytes, to: output)
    } catch {
      throw Failure(.refused, "Writing to the terminal failed: \(error).")
    }
  }

  func close() {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    guard isFirst else { return }
    var before = before
    unsafe tcsetattr(output, TCSADRAIN, &before)
    signals.stop()
    input.close(promise: nil)
    Glibc.close(output)
  }

  private static func channel(
    _ descriptor: Int32, _ happening: AsyncStream<TerminalEvent>.Continuation
  ) async throws -> any Channel {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    return try await NIOPipeBootstrap(group: loop).channelInitializer { channel in
      channel.pipeline.addHandler(KeyReader(happening))
    }.takingOwnershipOfDescriptor(input: descriptor).get()
  }
}

/// A handler that forwards typed bytes.
private final class KeyReader: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let happening: AsyncStream<TerminalEvent>.Continuation

  init(_ happening: AsyncStream<TerminalEvent>.Continuation) { self.happening = happening }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    happening.yield(.input(Array(Self.unwrapInboundIn(data).readableBytesView)))
  }

  func channelInactive(context: ChannelHandlerContext) { happening.yield(.ended) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
