import Glibc
import NIOCore
import NIOPosix

/// Tells once that a socket can be read, and reads nothing: NIO's channels read with read(2), which loses the descriptors
/// that come along (unix(7)), and NIO tells of readiness in no other way.
///
/// The channel's buffer has no room. A read of no bytes leaves a socket as it is and answers 0 (sock_read_iter: "match SYS5
/// behaviour"), which NIO takes for the end of the file and closes the channel: that is the news. It is for what is
/// seldom read, since each time takes a channel.
enum Readiness {
  /// A channel that closes when `socket` can be read or its peer hangs up; `ready` is called then, and also when the
  /// channel was closed by hand. On the loop.
  static func watch(
    _ socket: Int32, on loop: any EventLoop, ready: @escaping () -> Void
  ) throws(BusSocketError) -> EventLoopFuture<any Channel> {
    let own = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw BusSocketError(call: "fcntl", errno: errno) }
    // Where this fails the descriptor is not closed: NIO has done so after taking it, and does not tell when that was.
    let channel = NIOPipeBootstrap(group: loop).channelOption(.recvAllocator, value: NoRoom())
      .takingOwnershipOfDescriptor(input: own)
    channel.assumeIsolated().whenComplete { result in
      switch result {
      case .success(let channel): channel.closeFuture.assumeIsolated().whenComplete { _ in ready() }
      case .failure: ready()
      }
    }
    return channel
  }
}

/// Buffers for reads of nothing.
private struct NoRoom: RecvByteBufferAllocator {
  func buffer(allocator: ByteBufferAllocator) -> ByteBuffer { allocator.buffer(capacity: 0) }

  mutating func record(actualReadBytes: Int) -> Bool { false }
}
