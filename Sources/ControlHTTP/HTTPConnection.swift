import Access
import Control
import Logging
import NIOCore
import NIOHTTP1

/// One client's connection: hands requests to the endpoints, one after the other, and writes their answers.
///
/// Lives on the event loop. The pipeline handler before it holds the next request back until the answer is written.
final class HTTPConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    /// Between requests, or a request is coming in.
    case open
    /// A request is being answered, here or at the service.
    case answering
    /// Answered for the last time: what the client still sends is thrown away, that many bytes by now.
    case refused(discarded: Int)
  }

  private let endpoints: Endpoints
  /// Who decides about requests; nil over the Unix socket.
  private let gate: Gate?
  private let peer: WebPeer?
  private let limits: ControlServer.Limits
  /// Set where this connection is one too many: its request gets this answer.
  private let refusal: Problem?
  private let logger: Logger
  private let executor: EventLoopTaskExecutor
  private var collector: RequestCollector
  private var context: ChannelHandlerContext?
  private var state = State.open
  private var task: Task<Void, Never>?
  /// What the gate said of the request.
  private var admission = Admission.trusted
  private var request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
  /// Events that are written and not yet with the kernel; more than a few mean that the client does not read.
  private var unsentEvents = 0
  private let broadcast: EventBroadcast
  private let heartbeat: Heartbeat
  /// The number of the last event that came from the broadcast.
  var place: UInt64 = 0

  init(
    _ endpoints: Endpoints, gate: Gate?, peer: WebPeer?, limits: ControlServer.Limits, refusal: Problem?,
    logger: Logger, executor: EventLoopTaskExecutor, broadcast: EventBroadcast, heartbeat: Heartbeat
  ) {
    self.broadcast = broadcast
    self.heartbeat = heartbeat
    self.endpoints = endpoints
    self.gate = gate
    self.peer = peer
    self.limits = limits
    self.refusal = refusal
    self.logger = logger
    self.executor = executor
    self.collector = RequestCollector { endpoints.takesPicture($0) ? limits.picture : limits.body }
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelInactive(context: ChannelHandlerContext) {
    task?.cancel()
    broadcast.remove(self)
    heartbeat.remove(self)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = Self.unwrapInboundIn(data)
    if case .refused(let discarded) = state { return discard(part, after: discarded) }
    if case .head(let head) = part, !admit(head, at: context.eventLoop.now) { return }
    switch collector.receive(part) {
    case .wait: break
    case .sendContinue: write(HTTPResponseHead(version: .http1_1, status: .continue))
    case .handle(let request): handle(request, on: context.eventLoop)
    case .refuse(let problem): refuse(problem)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError, case .open = state else {
      logger.debug("control connection failed", metadata: ["error": "\(error)"])
      context.close(promise: nil)
      return
    }
    refuse(error == .headerOverflow ? .headTooLarge : .malformed("This is not HTTP/1.1: \(error)."))
  }
}

// MARK: - Answering

extension HTTPConnection {
  private func handle(_ request: Request, on eventLoop: any EventLoop) {
    if let refusal { return refuse(refusal) }
    state = .answering
    switch admission.verdict {
    case .pass: break
    case .answer(let response): return send(response)
    case .login:
      let response = gate?.logIn(request.body.bytes, admission.visitor, at: eventLoop.now)
      return send(response ?? Response(.notFound))
    }
    let connection = NIOLoopBound(self, eventLoop: eventLoop)
    task = Task(executorPreference: executor) { [endpoints] in
      switch await endpoints.answer(request) {
      case .response(let response): connection.value.send(response)
      case .events(let feed): await connection.value.stream(feed)
      }
    }
  }

  /// Asks the gate about a request; false where it is refused before its body comes.
  private func admit(_ head: HTTPRequestHead, at now: NIODeadline) -> Bool {
    request = head
    guard let gate else { return true }
    guard let peer else {
      refuse(.malformed("The client has no address."))
      return false
    }
    admission = gate.admit(head, from: peer, at: now)
    guard case .answer(let response) = admission.verdict, head.hasBody else { return true }
    refuse(response)
    return false
  }

  private func send(_ response: Response) {
    var head = HTTPResponseHead(version: request.version, status: response.status, headers: response.headers)
    SecurityHeaders.add(to: &head.headers, guest: admission.guest)
    if response.status.mayHaveResponseBody { head.headers.add(name: "content-length", value: "\(response.body.count)") }
    write(head)
    if request.method != .HEAD, let context, !response.body.isEmpty {
      context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
    }
    finish()
  }

  private func stream(_ feed: EventFeed) async {
    var head = HTTPResponseHead(version: request.version, status: .ok)
    SecurityHeaders.add(to: &head.headers, guest: admission.guest)
    head.headers.add(name: "content-type", value: "text/event-stream")
    write(head)
    guard write(EventFormat.opening(feed)) else { return }
    heartbeat.add(self) { [weak self] in _ = self?.write(EventFormat.heartbeat) }
    var last: UInt64?
    for await event in feed.events {
      // The feed lets the oldest go where its listener is slow: it is to know.
      if let last, event.id > last + 1, !write(EventFormat.torn(feed.epoch)) { return }
      guard write(EventFormat.lines(event, epoch: feed.epoch)) else { return }
      last = event.id
      if isChunked, broadcast.takeOver(self, from: feed, at: event.id) { return }
    }
    end()
  }

  /// Writes a part of a stream of events; false when the client is gone or reads too slowly: then it is closed.
  private func write(_ lines: [UInt8]) -> Bool {
    guard let context, isReading(context) else { return false }
    unsentEvents += 1
    let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: lines)))
    context.writeAndFlush(Self.wrapOutboundOut(part)).assumeIsolated().whenComplete { _ in self.unsentEvents -= 1 }
    return true
  }

  private func isReading(_ context: ChannelHandlerContext) -> Bool {
    if unsentEvents < limits.events { return true }
    logger.notice("event reader dropped: it does not read", metadata: ["unsent": "\(unsentEvents)"])
    context.close(promise: nil)
    return false
  }

  private func write(_ head: HTTPResponseHead) {
    var head = head
    if head.status != .continue, !request.isKeepAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
    context?.writeAndFlush(Self.wrapOutboundOut(.head(head)), promise: nil)
  }

  /// Ends the answer. The pipeline handler hands in the next request from within this write.
  private func finish() {
    state = .open
    guard let context else { return }
    let isKept = request.isKeepAlive
    let written = context.writeAndFlush(Self.wrapOutboundOut(.end(nil)))
    if !isKept { written.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
  }
}

// MARK: - Events that go to many

extension HTTPConnection: EventListener {
  /// Older clients get a body that ends with the connection.
  private var isChunked: Bool { request.version != .http1_0 }

  /// The chunk is for the socket as it is: the encoder and those behind it would only pass it on, once a listener.
  func send(_ events: EventBroadcast.Chunk) {
    guard let context, isReading(context) else { return }
    let encoder = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
    unsentEvents += events.count
    let written = encoder?.writeAndFlush(NIOAny(IOData.byteBuffer(events.bytes)))
    written?.assumeIsolated().whenComplete { _ in self.unsentEvents -= events.count }
  }

  func end() {
    heartbeat.remove(self)
    finish()
  }
}

// MARK: - Refusing

extension HTTPConnection {
  /// Answers at once and for the last time. The client may still be sending: closing now could take the answer from
  /// it, so only our side is closed, and the rest of its request is read and thrown away.
  private func refuse(_ problem: Problem) { refuse(Response(problem)) }

  private func refuse(_ response: Response) {
    guard let context else { return }
    request.headers.replaceOrAdd(name: "connection", value: "close")
    send(response)
    state = .refused(discarded: 0)
    context.close(mode: .output, promise: nil)
  }

  private func discard(_ part: HTTPServerRequestPart, after discarded: Int) {
    switch part {
    case .head: break
    case .body(let buffer) where discarded + buffer.readableBytes <= limits.discarded:
      state = .refused(discarded: discarded + buffer.readableBytes)
    case .body, .end: context?.close(promise: nil)
    }
  }
}
