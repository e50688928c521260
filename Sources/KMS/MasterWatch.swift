import CLinux
import Glibc
import NIOCore

/// Tells when DRM master may be had: somebody closed the device node, or the virtual terminal was switched.
///
/// inotify sees both, unprivileged: IN_CLOSE on the node, and IN_MODIFY on tty0's `active` (kernfs_notify).
struct MasterWatch: ~Copyable {
  private let descriptor: Int32
  private var channel: (any Channel)?

  /// Watches the node until the value is let go of; `released` runs on the loop.
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

/// Any record is a reason to try again; which one does not matter.
private final class MasterWatchHandler: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let released: @Sendable () -> Void

  init(_ released: @escaping @Sendable () -> Void) { self.released = released }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { released() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
