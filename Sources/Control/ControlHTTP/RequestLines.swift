import Control
import NIOCore
import NIOHTTP1

/// A handler that checks request lines before the parser, which accepts repeated spaces in them (RFC 9112, 3).
///
/// It passes bytes on in slices that end where a request can end: after a line of the head, and after a body of known
/// length. `RequestEnds`, behind the parser, then reports which kind of bytes comes next. A request that the parser
/// ends elsewhere, with a chunked body or an upgrade, is the last one of its connection.
final class RequestLines: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// The part of a request to which the next bytes belong.
  enum Place: Equatable {
    /// A request line, of which some bytes may have arrived.
    case line
    /// The rest of a head.
    case head
    /// A body with this number of bytes left.
    case body(Int)
    /// The last request of the connection, and everything after it.
    case last
  }

  var place = Place.line
  private let connection: HTTPConnection
  private let most: Int
  /// The part of the request line that has arrived.
  private var line = ByteBuffer()
  /// Whether a request line was malformed or the parser has failed, after which no bytes are a request.
  var isBroken = false

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - connection: The connection that answers the requests.
  ///   - most: The maximum length of a request line, in bytes.
  init(_ connection: HTTPConnection, most: Int) {
    self.connection = connection
    self.most = most
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var rest = Self.unwrapInboundIn(data)
    connection.bytesReceived()
    while rest.readableBytes > 0 {
      guard !isBroken else { return connection.discard(rest.readableBytes) }
      pass(&rest, context)
    }
  }

  private func pass(_ rest: inout ByteBuffer, _ context: ChannelHandlerContext) {
    switch place {
    case .line: passLine(&rest, context)
    case .head: context.fireChannelRead(Self.wrapInboundOut(Self.slice(&rest, Self.lineLength(rest))))
    case .body(let left):
      let part = Self.slice(&rest, min(left, rest.readableBytes))
      place = .body(left - part.readableBytes)
      context.fireChannelRead(Self.wrapInboundOut(part))
    case .last: context.fireChannelRead(Self.wrapInboundOut(Self.slice(&rest, rest.readableBytes)))
    }
  }

  private func passLine(_ rest: inout ByteBuffer, _ context: ChannelHandlerContext) {
    var part = Self.slice(&rest, Self.lineLength(rest))
    line.writeBuffer(&part)
    let isWhole = line.readableBytesView.last == UInt8(ascii: "\n")
    guard isWhole || line.readableBytes > most else { return }
    defer { line = ByteBuffer() }
    // An empty line before a request line is ignored (RFC 9112, 2.2).
    guard line.readableBytesView.contains(where: { $0 != 13 && $0 != 10 }) || !isWhole else { return }
    guard !isWhole || Self.isWellFormed(line.readableBytesView) else {
      connection.isLineMalformed = true
      return context.fireErrorCaught(HTTPParserError.strictModeAssertion)
    }
    place = .head
    context.fireChannelRead(Self.wrapInboundOut(line))
  }

  /// Returns whether a line has three parts with a single space between each two; the parser checks the parts.
  private static func isWellFormed(_ line: ByteBufferView) -> Bool {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    return parts.count == 3 && !parts.contains(where: \.isEmpty) && !line.contains(UInt8(ascii: "\t"))
  }

  private static func lineLength(_ bytes: ByteBuffer) -> Int {
    let view = bytes.readableBytesView
    guard let end = view.firstIndex(of: UInt8(ascii: "\n")) else { return view.count }
    return view.distance(from: view.startIndex, to: end) + 1
  }

  private static func slice(_ bytes: inout ByteBuffer, _ length: Int) -> ByteBuffer {
    bytes.readSlice(length: length) ?? ByteBuffer()
  }
}

/// A handler that reports to `RequestLines` which kind of bytes comes next, and when the parser has failed.
final class RequestEnds: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private let lines: RequestLines

  init(_ lines: RequestLines) { self.lines = lines }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .head(let head):
      let length = head.headers.first(name: "content-length").map { Int($0) ?? .max } ?? 0
      lines.place = head.isLast ? .last : .body(length)
    case .body: break
    case .end: if lines.place != .last { lines.place = .line }
    }
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is HTTPParserError { lines.isBroken = true }
    context.fireErrorCaught(error)
  }
}

extension HTTPRequestHead {
  /// Whether no further request can follow on the connection.
  ///
  /// The parser treats the bytes after an upgrade or CONNECT as another protocol, and only the parser knows where a
  /// chunked body ends.
  var isLast: Bool {
    method == .CONNECT || headers.contains(name: "upgrade") || headers.contains(name: "transfer-encoding")
  }
}
