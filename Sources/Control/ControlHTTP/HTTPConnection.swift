import Access
import Control
import Logging
import NIOCore
import NIOHTTP1

/// The connection of one client, which passes requests to the endpoints in turn and writes their answers.
///
/// Confined to the event loop. The pipeline handler before it holds back the next request until the answer is written.
final class HTTPConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  enum State {
    /// The connection is idle or receives a request.
    case open
    /// A request is being answered, by the connection or by the service.
    case answering
    /// The last answer was sent, and further input is discarded; `discarded` is its size in bytes so far.
    case refused(discarded: Int)
    /// The last request was answered; bytes that follow it are not a request (RFC 9112, 9.6).
    case ended
  }

  /// The limit that applies to the client now, and its deadline.
  struct Wait {
    var limit: AccessLimit
    var due: NIODeadline
  }

  private let endpoints: Endpoints
  let environment: ConnectionContext
  private let executor: EventLoopTaskExecutor
  let eventLoop: any EventLoop
  let deadline: Deadline
  private var collector: RequestCollector
  var context: ChannelHandlerContext?
  var state = State.open
  private var task: Task<Void, Never>?
  /// The authorizer's decision on the request.
  private(set) var decision = AuthorizationDecision.trusted
  var request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
  var wait: Wait?
  /// Whether a part of a head has arrived.
  var hasBegun = false
  /// Whether the head did not arrive in time.
  var isLate = false
  /// Whether the request line has other spaces than HTTP/1.1 allows.
  var isLineMalformed = false
  /// The time at which the body began, and the number of its bytes that have arrived.
  private var body = (began: NIODeadline.distantPast, bytes: 0)
  /// The data that was written, but not sent yet.
  var unsent = Unsent()
  /// The function to call when the stream of events has ended.
  var streamEnded: (@Sendable () -> Void)?
  /// The number of the last event received from the broadcast.
  var place: UInt64 = 0

  init(
    _ endpoints: Endpoints, _ environment: ConnectionContext, executor: EventLoopTaskExecutor, eventLoop: any EventLoop
  ) {
    self.endpoints = endpoints
    self.executor = executor
    self.eventLoop = eventLoop
    self.environment = environment
    deadline = Deadline(eventLoop)
    let limits = environment.limits
    collector = RequestCollector { head in
      if environment.authorizer != nil, RequestTarget.path(of: head.uri) == LoginPage.path {
        return LoginPage.mostBytes
      }
      return endpoints.acceptsFile(head) ? limits.image : limits.body
    }
    deadline.expired = { [weak self] in self?.deadlineExpired() }
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    wait(.headSeconds, environment.limits.headSeconds)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadline.set(nil)
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline.set(nil)
    task?.cancel()
    stopListening()
    releaseBody()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = Self.unwrapInboundIn(data)
    if case .refused = state { return discard(part) }
    if case .ended = state { return }
    guard checkPart(part) else { return }
    switch collector.receive(part) {
    case .wait: break
    case .sendContinue: write(HTTPResponseHead(version: .http1_1, status: .continue))
    case .handle(let request): handle(request)
    case .refuse(let problem): cut(endpoints.acceptsFile(request) ? .image : .body, problem)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if isLate, case .open = state { return cut(.headSeconds, .tooSlow(environment.limits.headSeconds, "The head")) }
    guard let error = error as? HTTPParserError, state.mayFail else {
      environment.logger.debug("the connection of \(environment.client) failed: \(error)")
      context.close(promise: nil)
      return
    }
    guard case .open = state else { return }
    if error == .headerOverflow { return cut(.head, .headTooLarge) }
    if isLineMalformed { return refuse(Response(.malformedLine)) }
    refuse(Response(.malformed("This is not HTTP/1.1: \(error).")))
  }
}

extension HTTPConnection.State {
  /// Whether the client can still receive an answer after a parser error.
  fileprivate var mayFail: Bool {
    switch self {
    case .open, .refused, .ended: true
    case .answering: false
    }
  }
}

// MARK: - Incoming requests

extension HTTPConnection {
  /// Checks a part of a request before it is processed; returns false if the request was refused.
  private func checkPart(_ part: HTTPServerRequestPart) -> Bool {
    switch part {
    case .head(let head): return authorize(head)
    case .body(let buffer): return countBody(buffer.readableBytes)
    case .end:
      wait(nil)
      return true
    }
  }

  /// Asks the authorizer about a request; returns false if it was refused before its body arrived.
  private func authorize(_ head: HTTPRequestHead) -> Bool {
    request = head
    hasBegun = false
    if head.isLast { request.headers.replaceOrAdd(name: "connection", value: "close") }
    body = (eventLoop.now, 0)
    wait(.bodySeconds, environment.limits.bodySeconds)
    decision = .trusted
    if let refusal = environment.refusal {
      request.headers.replaceOrAdd(name: "connection", value: "close")
      decision.verdict = .answer(Response(refusal))
    } else if let authorizer = environment.authorizer, case .web(let peer) = environment.client {
      decision = authorizer.authorize(head, from: peer, at: eventLoop.now)
    }
    if let problem = head.refusal {
      refuse(Response(problem))
      return false
    }
    guard case .answer(let response) = decision.verdict, head.hasBody else { return true }
    refuse(response)
    return false
  }

  /// Counts bytes of a body and extends its deadline; returns false if all bodies together exceed their limit.
  private func countBody(_ count: Int) -> Bool {
    guard environment.bodies.reserve(count, of: environment.limits.bodies) else {
      cut(.bodies, .noRoom)
      return false
    }
    body.bytes += count
    let seconds = environment.limits.bodySeconds + body.bytes / environment.limits.bodyRate
    wait = Wait(limit: .bodySeconds, due: body.began + .seconds(Int64(seconds)))
    rearm()
    return true
  }

  func releaseBody() {
    environment.bodies.release(body.bytes)
    body.bytes = 0
  }

  private func handle(_ request: Request) {
    state = .answering
    switch decision.verdict {
    case .pass: environment.writes.note(self.request, from: environment.client, decision.requestPeer)
    case .answer(let response): return send(response)
    case .login(let words):
      let response = environment.authorizer?.logIn(
        request.body.bytes, decision.requestPeer, at: eventLoop.now, in: words)
      return send(response ?? Response(.notFound))
    }
    let connection = NIOLoopBound(self, eventLoop: eventLoop)
    task = Task(executorPreference: executor) { [endpoints] in
      switch await endpoints.answer(request) {
      case .response(let response): connection.value.send(response)
      case .events(let feed, let ended): await connection.value.stream(feed, ended: ended)
      case .parts(let parts): await connection.value.stream(parts)
      }
    }
  }
}
