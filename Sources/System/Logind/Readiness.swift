import NIOCore
import NIOPosix

/// A one-shot notification that a socket is readable, without reading from it.
///
/// NIO's channels read with read(2), which discards file descriptors in ancillary data (unix(7)), and NIO has no other
/// API for readiness. Therefore the channel's buffer has a capacity of 0. A read of 0 bytes leaves a socket unchanged
/// and returns 0 (sock_read_iter: "match SYS5 behavior"). NIO takes that for the end of file and closes the channel.
/// Each notification needs a new channel, so this suits only sockets that are read rarely.
enum Readiness {
  /// Opens a channel that closes when `socket` becomes readable or its peer hangs up.
  ///
  /// Call it on the event loop.
  ///
  /// - Parameters:
  ///   - socket: A duplicate of the socket to watch, which the channel now owns.
  ///   - loop: The event loop of the channel.
  ///   - ready: The function that is called when the channel closes, including when the caller closes it.
  /// - Returns: The channel, to close early.
  static func watch(
    _ socket: Int32, on loop: any EventLoop, ready: @escaping () -> Void
  ) -> EventLoopFuture<any Channel> {
    // If this fails, the descriptor must not be closed here: NIO may have closed it already, and does not report when.
    let channel = NIOPipeBootstrap(group: loop).channelOption(.recvAllocator, value: EmptyBufferAllocator())
      .takingOwnershipOfDescriptor(input: socket)
    channel.assumeIsolated().whenComplete { result in
      switch result {
      case .success(let channel): channel.closeFuture.assumeIsolated().whenComplete { _ in ready() }
      case .failure: ready()
      }
    }
    return channel
  }
}

/// An allocator of empty buffers, for reads of 0 bytes.
private struct EmptyBufferAllocator: RecvByteBufferAllocator {
  func buffer(allocator: ByteBufferAllocator) -> ByteBuffer { allocator.buffer(capacity: 0) }

  mutating func record(actualReadBytes: Int) -> Bool { false }
}
