import CLinux
import Glibc
import NIOCore

/// A watch for events after which DRM master may be available: a close of the device node or a virtual terminal switch.
///
/// inotify reports both without privileges: IN_CLOSE on the node, and IN_MODIFY on tty0's `active` (kernfs_notify).
struct MasterWatch: ~Copyable {
  private let descriptor: Int32
  private var channel: (any Channel)?

  /// Watches the node until the value is released; `released` runs on the loop.
  init?(_ path: String, on loop: any EventLoop, released: @escaping @Sendable () -> Void) async {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    _ = unsafe inotify_add_watch(descriptor, path, UInt32(IN_CLOSE))
    _ = unsafe inotify_add_watch(descriptor, "/sys/class/tty/tty0/active", UInt32(IN_MODIFY))
    channel = try? await readingChannel(of: descriptor, on: loop) { MasterWatchHandler(released) }.get()
  }

  deinit {
    channel?.close(promise: nil)
    if descriptor >= 0 { close(descriptor) }
  }
}

/// A handler that treats each inotify record alike, as a reason to retry.
private final class MasterWatchHandler: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let released: @Sendable () -> Void

  init(_ released: @escaping @Sendable () -> Void) { self.released = released }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { released() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
