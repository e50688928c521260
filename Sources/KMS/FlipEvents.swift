import CLinux
import Glibc
import Displays
import NIOCore
import NIOPosix

/// Reads the kernel's `struct drm_event` records from bytes. Never traps: a record that is cut short ends the reading.
///
/// Layout (stable ABI, drm.h): type and length as u32; for vblank and flip events then user_data u64, tv_sec u32,
/// tv_usec u32, sequence u32, crtc_id u32.
func parseFlipEvents(_ bytes: inout ByteBuffer) -> [Flip] {
  var flips: [Flip] = []
  while let type = bytes.getInteger(at: bytes.readerIndex, endianness: .host, as: UInt32.self),
    let length = bytes.getInteger(at: bytes.readerIndex + 4, endianness: .host, as: UInt32.self),
    length >= 8, var record = bytes.readSlice(length: Int(length))
  {
    record.moveReaderIndex(forwardBy: 8)
    if type == 0x02, let flip = flip(&record) { flips.append(flip) }
  }
  return flips
}

/// DRM_EVENT_FLIP_COMPLETE (2); user_data is the CRTC's id that the commit gave as its cookie.
private func flip(_ record: inout ByteBuffer) -> Flip? {
  guard let cookie = record.readInteger(endianness: .host, as: UInt64.self),
    let seconds = record.readInteger(endianness: .host, as: UInt32.self),
    let microseconds = record.readInteger(endianness: .host, as: UInt32.self),
    let sequence = record.readInteger(endianness: .host, as: UInt32.self)
  else { return nil }
  // Since 4.12 the kernel names the CRTC itself, which also tells apart the outputs of a commit for several.
  let named = record.readInteger(endianness: .host, as: UInt32.self) ?? 0
  let time = UInt64(seconds) * 1_000_000_000 + UInt64(microseconds) * 1000
  return Flip(crtc: named != 0 ? named : UInt32(truncatingIfNeeded: cookie), sequence: sequence, time: time)
}

/// Passes a card's flips on to those who follow them, or else as its events; tells `lost` when the kernel closes the device
/// (read answers ENODEV, or EPOLLHUP).
final class FlipEventHandler: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let continuation: AsyncStream<CardEvent>.Continuation

  private let followers: FlipFollowers

  init(_ continuation: AsyncStream<CardEvent>.Continuation, _ followers: FlipFollowers) {
    self.continuation = continuation
    self.followers = followers
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    for flip in parseFlipEvents(&bytes) {
      if !followers.tell(flip) { continuation.yield(CardEvent(flip)) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelInactive(context: ChannelHandlerContext) {
    continuation.yield(.lost)
    continuation.finish()
  }
}

/// Opens a channel that reads a duplicate of the descriptor, so that the channel can close its own. All of it is done on the
/// loop: the caller's own has something else to do.
func readingChannel(
  of descriptor: Int32, on loop: any EventLoop, _ handler: @escaping @Sendable () -> any ChannelHandler & Sendable
) throws(IOError) -> EventLoopFuture<any Channel> {
  let own = dup(descriptor)
  // NIO traps on a descriptor below 0.
  guard own >= 0 else { throw IOError(errnoCode: errno, reason: "dup") }
  // Where this fails it is not closed here: NIO has done so after taking it, and does not tell when that was.
  return loop.flatSubmit {
    NIOPipeBootstrap(group: loop)
      .channelInitializer { channel in channel.pipeline.addHandler(handler()) }
      .takingOwnershipOfDescriptor(input: own)
  }
}
