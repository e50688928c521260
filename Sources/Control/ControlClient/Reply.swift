import Control
import JSON
import NIOCore
import NIOHTTP1

/// The response to a request.
struct Reply: Sendable {
  /// The HTTP status code.
  var status: Int
  /// The response headers.
  var headers = HTTPHeaders()
  /// The complete body.
  var body: ByteBuffer

  /// The entity tag without its quotes; nil if the response has none.
  var tag: String? {
    guard let tag = headers.first(name: "etag"), tag.hasPrefix("\""), tag.hasSuffix("\""), tag.count > 1 else {
      return nil
    }
    return String(tag.dropFirst().dropLast())
  }

  /// The target of the next page of a list (RFC 8288); nil on the last page.
  ///
  /// A link to another host is ignored.
  var nextPage: String? {
    let link = headers["link"].lazy.compactMap { line -> Substring? in
      guard line.hasPrefix("</"), !line.hasPrefix("<//"), let end = line.firstIndex(of: ">") else { return nil }
      return line[end...].includes("rel=\"next\"") ? line[..<end].dropFirst() : nil
    }
    return link.first.map(String.init)
  }

  /// Returns the body of a successful response, or throws the service's refusal.
  func accepted() throws(ClientError) -> ByteBuffer {
    guard !(200..<300).contains(status) else { return body }
    guard let problem = try? JSON.decode(Problem.self, from: body.readableBytesView) else {
      throw .protocolError("The service answered with status \(status) and no reason.")
    }
    throw .refused(ControlError(problem))
  }

  /// Returns the body of a successful response, decoded from JSON.
  func decode<Report: Decodable>(_ type: Report.Type) throws(ClientError) -> Report {
    let body = try accepted()
    do {
      return try JSON.decode(type, from: body.readableBytesView)
    } catch {
      throw .protocolError("The service's answer cannot be decoded; the service may have another version. \(error)")
    }
  }
}

/// A handler that assembles a response and fulfills a promise with it.
///
/// It is confined to the channel's event loop.
final class ReplyCollector: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  /// The maximum size of a response in bytes: several times that of an incompressible 4K screenshot.
  static let limit = 128 << 20

  private let promise: EventLoopPromise<Reply>
  private var reply: Reply?
  private var isDone = false

  init(_ promise: EventLoopPromise<Reply>) { self.promise = promise }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .head(let head): reply = Reply(status: Int(head.status.code), headers: head.headers, body: ByteBuffer())
    case .body(var part): append(&part, context)
    case .end: finish(context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(.protocolError("The service closed the connection without an answer; it may have stopped."), context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(.protocolError("The connection to the service failed: \(error)."), context)
  }

  private func append(_ part: inout ByteBuffer, _ context: ChannelHandlerContext) {
    let held = reply?.body.readableBytes ?? 0
    guard held + part.readableBytes <= Self.limit else {
      return fail(.protocolError("The service's answer has more than \(Self.limit) bytes."), context)
    }
    reply?.body.writeBuffer(&part)
  }

  private func finish(_ context: ChannelHandlerContext) {
    guard !isDone, let reply else { return }
    isDone = true
    promise.succeed(reply)
    context.close(promise: nil)
  }

  private func fail(_ error: ClientError, _ context: ChannelHandlerContext) {
    guard !isDone else { return }
    isDone = true
    promise.fail(error)
    context.close(promise: nil)
  }
}
