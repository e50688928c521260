import NIOCore
import Synchronization

/// A service that records requests byte by byte, and sends one canned answer or none.
final class CannedService: StubServer {
  private let state = Mutex<[String]>([])
  let answer: String?

  init(_ answer: String?) { self.answer = answer }

  var requests: [String] { state.withLock { $0 } }
  func note(_ request: String) { state.withLock { $0.append(request) } }

  func configure(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
    try pipeline.addHandler(CannedAnswering(self))
  }
}

/// A handler that answers after the last byte of a body, a brace, or of a head without a body.
///
/// It is confined to the channel's event loop.
private final class CannedAnswering: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let service: CannedService
  private var request = ""

  init(_ service: CannedService) { self.service = service }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    request += String(buffer: Self.unwrapInboundIn(data))
    let isWhole = request.hasSuffix("}") || !request.hasPrefix("PUT") && request.hasSuffix("\r\n\r\n")
    guard isWhole, let answer = service.answer else { return }
    service.note(request)
    context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
  }
}
