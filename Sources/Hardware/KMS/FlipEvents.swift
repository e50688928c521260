import CLinux
import Glibc
import Displays
import NIOCore
import NIOPosix

/// Parses the kernel's `struct drm_event` records.
///
/// Never traps: a truncated record ends the parsing.
///
/// The layout is stable ABI (drm.h): type and length as u32; for vblank and flip events then user_data u64, tv_sec u32,
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

/// Parses a DRM_EVENT_FLIP_COMPLETE (2).
///
/// Its user_data is the cookie of the commit.
private func flip(_ record: inout ByteBuffer) -> Flip? {
  guard let cookie = record.readInteger(endianness: .host, as: UInt64.self),
    let seconds = record.readInteger(endianness: .host, as: UInt32.self),
    let microseconds = record.readInteger(endianness: .host, as: UInt32.self),
    let sequence = record.readInteger(endianness: .host, as: UInt32.self)
  else { return nil }
  // Since Linux 4.12 crtc_id is set, which also distinguishes the CRTCs of a commit for several outputs.
  let named = record.readInteger(endianness: .host, as: UInt32.self) ?? 0
  let time = UInt64(seconds) * 1_000_000_000 + UInt64(microseconds) * 1000
  let origin = FlipCookie(rawValue: cookie)
  return Flip(crtc: named != 0 ? named : origin.crtc, sequence: sequence, time: time, modeset: origin.modeset)
}

/// The user data of a commit, which its flip events return: the CRTC, and the number of the modeset; 0 for a frame.
struct FlipCookie: RawRepresentable {
  let rawValue: UInt64

  init(rawValue: UInt64) { self.rawValue = rawValue }

  init(crtc: UInt32, modeset: UInt32 = 0) { rawValue = UInt64(modeset) << 32 | UInt64(crtc) }

  var crtc: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
  var modeset: UInt32 { UInt32(rawValue >> 32) }

  /// The cookie in libdrm's form, which needs 64-bit pointers.
  var pointer: UnsafeMutableRawPointer? {
    unsafe UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: rawValue))
  }
}

/// A handler that passes a card's flips to their followers, or else emits them as card events.
///
/// It emits `lost` when the kernel closes the device (read fails with ENODEV, or EPOLLHUP).
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
      if !followers.deliver(flip) { continuation.yield(.flipped(flip)) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelInactive(context: ChannelHandlerContext) {
    continuation.yield(.lost)
    continuation.finish()
  }
}

/// Opens a channel on a duplicate of the descriptor, which the channel can close.
///
/// All of it runs on the given loop, not on the caller's.
func readingChannel(
  of descriptor: Int32, on loop: any EventLoop, _ handler: @escaping @Sendable () -> any ChannelHandler & Sendable
) throws(IOError) -> EventLoopFuture<any Channel> {
  let own = dup(descriptor)
  // NIO traps on a negative descriptor.
  guard own >= 0 else { throw IOError(errnoCode: errno, reason: "dup") }
  // On failure the descriptor is not closed here. NIO closes it if it fails after taking ownership, and does not report
  // whether it did.
  return loop.flatSubmit {
    NIOPipeBootstrap(group: loop)
      .channelInitializer { channel in channel.pipeline.addHandler(handler()) }
      .takingOwnershipOfDescriptor(input: own)
  }
}
