import Control
import NIOCore
import NIOHTTP1

/// A request that came in whole.
struct Request: Sendable {
  /// `GET`, `PUT`, ...
  var method: String
  /// The request's target, still with its escapes.
  var target: String
  /// Its headers.
  var headers: HTTPHeaders
  /// The body; empty where none came.
  var body: RequestBody
}

/// Puts a request together from its parts and refuses it as soon as it is known to be too large. Knows no channel.
struct RequestCollector {
  /// What is to be done about a part.
  enum Action {
    /// Wait for the next part.
    case wait
    /// Tell the client that the body is welcome (RFC 9110, 10.1.1).
    case sendContinue
    /// The request is whole.
    case handle(Request)
    /// Answer with this and close the connection; parts of the same request may still follow.
    case refuse(Problem)
  }

  private let limitOf: (HTTPRequestHead) -> Int
  /// Most bytes that the body of this request may have.
  private var limit = 0
  private var request: Request?
  private var isRefused = false

  /// A collector that lets bodies through up to a limit in bytes, which may depend on what is asked for.
  init(limit: @escaping (HTTPRequestHead) -> Int) { limitOf = limit }

  /// Takes the next part.
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
    // The parser has checked the digits; a length beyond Int is too large like any other.
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
