import Control
import NIOCore
import NIOHTTP1

/// A completely received request.
struct Request: Sendable {
  /// The method, such as `GET` or `PUT`.
  var method: String
  /// The target, still percent-encoded.
  var target: String
  /// The headers.
  var headers: HTTPHeaders
  /// The body; empty if none was sent.
  var body: RequestBody
}

/// A collector that assembles a request from its parts, and refuses it as soon as it is too large.
///
/// It does not depend on a channel.
struct RequestCollector {
  /// The action that a part requires.
  enum Action {
    /// Wait for the next part.
    case wait
    /// Send 100 Continue, so that the client sends the body (RFC 9110, 10.1.1).
    case sendContinue
    /// Handle the complete request.
    case handle(Request)
    /// Answer with this problem and close the connection; parts of the same request may still follow.
    case refuse(Problem)
  }

  private let limitOf: (HTTPRequestHead) -> Int
  /// The maximum size of this request's body, in bytes.
  private var limit = 0
  private var request: Request?
  private var isRefused = false

  /// Creates a collector with a limit for the body in bytes, which may depend on the head.
  init(limit: @escaping (HTTPRequestHead) -> Int) { limitOf = limit }

  /// Processes the next part and returns the action that it requires.
  mutating func receive(_ part: HTTPServerRequestPart) -> Action {
    switch part {
    case .head(let head): return begin(head)
    case .body(let buffer): return append(buffer)
    case .end: return finish()
    }
  }

  private mutating func begin(_ head: HTTPRequestHead) -> Action {
    isRefused = false
    limit = limitOf(head)
    request = Request(
      method: head.method.rawValue, target: head.uri, headers: head.headers, body: RequestBody(bytes: []))
    // The parser has checked the digits. A length that exceeds `Int` exceeds every limit.
    if let length = head.headers.first(name: "content-length"), Int(length) ?? .max > limit { return refuse() }
    return head.headers.contains(name: "expect") && head.version.minor > 0 ? .sendContinue : .wait
  }

  private mutating func append(_ buffer: ByteBuffer) -> Action {
    guard !isRefused, let held = request?.body.bytes.count else { return .wait }
    guard buffer.readableBytes <= limit - held else { return refuse() }
    request?.body.bytes.append(contentsOf: buffer.readableBytesView)
    return .wait
  }

  private mutating func finish() -> Action {
    guard let whole = request else { return .wait }
    request = nil
    return .handle(whole)
  }

  private mutating func refuse() -> Action {
    request = nil
    isRefused = true
    return .refuse(.tooLarge(limit: limit))
  }
}
