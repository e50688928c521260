import CLinux
import Glibc
import NIOCore
import NIOPosix

/// Tells when a file is saved, by inotify (inotify(7)).
///
/// What is watched is its folder: editors write a new file and rename it over the old one, which a watch of the file
/// itself would not survive.
final class FileWatch: Sendable {
  /// Says something when the file was saved since the last time, however often. For one consumer.
  let saves: AsyncStream<Void>
  private let channel: any Channel

  /// Watches the file at this path until the value is let go of.
  init(_ path: String) async throws(Failure) {
    let absolute = try SceneFile.absolute(path)
    let folder = SceneFile.folder(of: absolute)
    let name = absolute[absolute.index(after: absolute.lastIndex(of: "/") ?? absolute.startIndex)...]
    // A save that comes while the last one is shown waits, once.
    let (saves, saved) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    let saving = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)
    guard descriptor >= 0, unsafe inotify_add_watch(descriptor, folder, saving) >= 0 else {
      let reason = FileBytes.text(errno)
      if descriptor >= 0 { close(descriptor) }
      throw Failure(.refused, "\(folder): its changes cannot be watched: \(reason).")
    }
    do {
      channel = try await NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        // A read that has no room for a whole record fails; one has 16 bytes and a name of 255 at most.
        .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
        .channelInitializer { channel in
          channel.pipeline.addHandler(SaveReader(name: Array(name.utf8), saved: saved))
        }
        .takingOwnershipOfDescriptor(input: descriptor).get()
    } catch {
      throw Failure(.refused, "\(folder): its changes cannot be watched: \(error).")
    }
    self.saves = saves
  }

  deinit { channel.close(promise: nil) }
}

/// Picks the records of one file out of those of its folder.
private final class SaveReader: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let name: [UInt8]
  private let saved: AsyncStream<Void>.Continuation

  init(name: [UInt8], saved: AsyncStream<Void>.Continuation) {
    self.name = name
    self.saved = saved
  }

  /// Whole records come with each read: watch, mask, cookie, and the length of the name, which zeros fill up.
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
