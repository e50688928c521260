import NIOCore

/// Tells the connection when bytes come in, before the parser has made anything of them: a request has begun.
final class FirstByte: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let connection: HTTPConnection

  init(_ connection: HTTPConnection) { self.connection = connection }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.bytesCame()
    context.fireChannelRead(data)
  }
}
