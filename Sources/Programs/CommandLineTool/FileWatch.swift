import CLinux
import Glibc
import NIOCore
import NIOPosix
import SystemCalls

/// A watch that reports when a file is saved (inotify(7)).
///
/// It watches the file's directory, because editors write a new file and rename it over the old one. A watch on the
/// file itself would not survive that.
final class FileWatch: Sendable {
  /// A stream that yields after one or more saves, for one consumer.
  let saves: AsyncStream<Void>
  private let channel: any Channel

  /// Watches the file at a path for the lifetime of this object.
  init(_ path: String) async throws(Failure) {
    let absolute = try SceneFile.absolute(path)
    let folder = SceneFile.folder(of: absolute)
    let name = absolute[absolute.index(after: absolute.lastIndex(of: "/") ?? absolute.startIndex)...]
    // All saves during the processing of an earlier one are reported once.
    let (saves, saved) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    let saving = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)
    guard descriptor >= 0, unsafe inotify_add_watch(descriptor, folder, saving) >= 0 else {
      let reason = ErrorNumber(errno)
      if descriptor >= 0 { close(descriptor) }
      throw Failure(.refused, "\(folder): watching it for changes failed: \(reason).")
    }
    do {
      channel = try await NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        // inotify(7): a read fails unless the next event fits, which takes at most 16 + NAME_MAX + 1 bytes.
        .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
        .channelInitializer { channel in
          channel.pipeline.addHandler(SaveReader(name: Array(name.utf8), saved: saved))
        }
        .takingOwnershipOfDescriptor(input: descriptor).get()
    } catch {
      throw Failure(.refused, "\(folder): watching it for changes failed: \(error).")
    }
    self.saves = saves
  }

  deinit { channel.close(promise: nil) }
}

/// A handler that filters the events of one file from those of its directory.
private final class SaveReader: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let name: [UInt8]
  private let saved: AsyncStream<Void>.Continuation

  init(name: [UInt8], saved: AsyncStream<Void>.Continuation) {
    self.name = name
    self.saved = saved
  }

  /// Reads whole events: watch, mask, cookie, length, and a name that is padded with NUL bytes (inotify(7)).
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var records = Self.unwrapInboundIn(data)
    while let (_, mask, _, length) = records.readMultipleIntegers(
      endianness: .host, as: (Int32, UInt32, UInt32, UInt32).self),
      let field = records.readBytes(length: Int(length))
    {
      let isLost = mask & UInt32(IN_Q_OVERFLOW) != 0
      if isLost || field.prefix(while: { $0 != 0 }).elementsEqual(name) { saved.yield() }
    }
  }

  func channelInactive(context: ChannelHandlerContext) { saved.finish() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
