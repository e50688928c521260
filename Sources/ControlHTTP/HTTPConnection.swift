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
    /// Answered, and the client asked for no more: what it sent behind that is no request (RFC 9112, 9.6).
    case ended
  }

  /// What the client must do, and by when.
  private struct Wait {
    var limit: AccessLimit
    var due: NIODeadline
  }

  /// How much of an answer is written at once: each piece that the client takes is a sign of life.
  private static let piece = 64 << 10

  private let endpoints: Endpoints
  private let around: Surroundings
  private let executor: EventLoopTaskExecutor
  private let eventLoop: any EventLoop
  private let deadline: Deadline
  private var collector: RequestCollector
  private var context: ChannelHandlerContext?
  private var state = State.open
  private var task: Task<Void, Never>?
  /// What the gate said of the request.
  private var admission = Admission.trusted
  private var request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
  private var wait: Wait?
  /// Whether bytes of a head have come that is not whole yet.
  private var hasBegun = false
  /// Whether the head has not come in time.
  private var isLate = false
  /// When the body began, and how many bytes of it came.
  private var body = (began: NIODeadline.distantPast, bytes: 0)
  /// Pieces that are written and not yet with the kernel, and when it took the last one.
  private var unsent = 0
  private var lastTaken = NIODeadline.distantPast
  /// Events among them; more than a few mean that the client does not read.
  private var unsentEvents = (count: 0, bytes: 0)
  /// The number of the last event that came from the broadcast.
  var place: UInt64 = 0

  init(
    _ endpoints: Endpoints, _ surroundings: Surroundings, executor: EventLoopTaskExecutor, eventLoop: any EventLoop
  ) {
    self.endpoints = endpoints
    self.executor = executor
    self.eventLoop = eventLoop
    around = surroundings
    deadline = Deadline(eventLoop)
    let limits = surroundings.limits
    collector = RequestCollector { head in
      if surroundings.gate != nil, RequestTarget.path(of: head.uri) == LoginPage.path { return LoginPage.mostBytes }
      return endpoints.takesPicture(head) ? limits.picture : limits.body
    }
    deadline.expired = { [weak self] in self?.timeIsOver() }
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    wait(.headSeconds, around.limits.headSeconds)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadline.set(nil)
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline.set(nil)
    task?.cancel()
    stopListening()
    giveBodyBack()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = Self.unwrapInboundIn(data)
    if case .refused(let discarded) = state { return discard(part, after: discarded) }
    if case .ended = state { return }
    guard isWelcome(part) else { return }
    switch collector.receive(part) {
    case .wait: break
    case .sendContinue: write(HTTPResponseHead(version: .http1_1, status: .continue))
    case .handle(let request): handle(request)
    case .refuse(let problem): cut(endpoints.takesPicture(request) ? .picture : .body, problem)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if isLate, case .open = state { return cut(.headSeconds, .tooSlow(around.limits.headSeconds, "The head")) }
    guard let error = error as? HTTPParserError, case .open = state else {
      around.logger.debug("the connection of \(around.client) failed: \(error)")
      context.close(promise: nil)
      return
    }
    if error == .headerOverflow { return cut(.head, .headTooLarge) }
    refuse(Response(.malformed("This is not HTTP/1.1: \(error).")))
  }
}

// MARK: - Requests that come in

extension HTTPConnection {
  /// Looks at a part of a request before anything is done with it; false where it was refused.
  private func isWelcome(_ part: HTTPServerRequestPart) -> Bool {
    switch part {
    case .head(let head): return admit(head)
    case .body(let buffer): return take(buffer.readableBytes)
    case .end:
      wait(nil)
      return true
    }
  }

  /// Asks the gate about a request; false where it is refused before its body comes.
  private func admit(_ head: HTTPRequestHead) -> Bool {
    request = head
    hasBegun = false
    // The parser takes what follows for another protocol's, which is not spoken here: no other request comes.
    if head.method == .CONNECT || head.headers.contains(name: "upgrade") {
      request.headers.replaceOrAdd(name: "connection", value: "close")
    }
    body = (eventLoop.now, 0)
    wait(.bodySeconds, around.limits.bodySeconds)
    admission = .trusted
    if let refusal = around.refusal {
      request.headers.replaceOrAdd(name: "connection", value: "close")
      admission.verdict = .answer(Response(refusal))
    } else if let gate = around.gate, case .web(let peer) = around.client {
      admission = gate.admit(head, from: peer, at: eventLoop.now)
    }
    guard head.hasFairFraming else {
      refuse(Response(.malformed("Transfer-Encoding came with HTTP/1.1: send a Content-Length.")))
      return false
    }
    guard case .answer(let response) = admission.verdict, head.hasBody else { return true }
    refuse(response)
    return false
  }

  /// Takes bytes of a body into account; false where all bodies together are too much.
  private func take(_ count: Int) -> Bool {
    guard around.bodies.take(count, of: around.limits.bodies) else {
      cut(.bodies, .noRoom)
      return false
    }
    body.bytes += count
    let seconds = around.limits.bodySeconds + body.bytes / around.limits.bodyRate
    wait = Wait(limit: .bodySeconds, due: body.began + .seconds(Int64(seconds)))
    rearm()
    return true
  }

  private func giveBodyBack() {
    around.bodies.give(body.bytes)
    body.bytes = 0
  }

  private func handle(_ request: Request) {
    state = .answering
    switch admission.verdict {
    case .pass: around.writes.note(self.request, from: around.client, admission.visitor)
    case .answer(let response): return send(response)
    case .login:
      let response = around.gate?.logIn(request.body.bytes, admission.visitor, at: eventLoop.now)
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
}

// MARK: - Time

extension HTTPConnection {
  /// Bytes came in: where nothing was under way, a head has begun, which is to come soon.
  func bytesCame() {
    hasBegun = true
    guard case .open = state, wait?.limit == .idleSeconds else { return }
    wait(.headSeconds, around.limits.headSeconds)
  }

  /// Gives the client so many seconds from now, or with nil all the time.
  private func wait(_ limit: AccessLimit?, _ seconds: Int = 0) {
    wait = limit.map { Wait(limit: $0, due: eventLoop.now + .seconds(Int64(seconds))) }
    rearm()
  }

  private func rearm() {
    let isTaking = unsent == 0
    deadline.set(isTaking ? wait?.due : lastTaken + .seconds(Int64(around.limits.stalledSeconds)))
  }

  private func timeIsOver() {
    guard let context else { return }
    guard unsent == 0 else {
      guard eventLoop.now - lastTaken >= .seconds(Int64(around.limits.stalledSeconds)) else { return rearm() }
      around.cuts.count(.stalledSeconds, of: around.client, at: eventLoop.now)
      return context.close(promise: nil)
    }
    switch (state, wait?.limit) {
    case (.open, .headSeconds?) where hasBegun:
      // The pipeline lets an answer without a request through only after an error of the parser.
      isLate = true
      context.pipeline.fireErrorCaught(HTTPParserError.unknown)
    case (.open, .bodySeconds?): cut(.bodySeconds, .tooSlow(around.limits.bodySeconds, "The body"))
    case (_, .idleSeconds?):
      around.cuts.countQuietly(.idleSeconds)
      context.close(promise: nil)
    default: context.close(promise: nil)
    }
  }
}

// MARK: - Answering

extension HTTPConnection {
  private func send(_ response: Response) {
    var head = HTTPResponseHead(version: request.version, status: response.status, headers: response.headers)
    SecurityHeaders.add(to: &head.headers, guest: admission.guest)
    if response.status.mayHaveResponseBody { head.headers.add(name: "content-length", value: "\(response.body.count)") }
    write(head)
    if request.method != .HEAD {
      var rest = ByteBuffer(bytes: response.body)
      while let piece = rest.readSlice(length: min(Self.piece, rest.readableBytes)), piece.readableBytes > 0 {
        write(.body(.byteBuffer(piece)), flush: false)
      }
    }
    finish()
  }

  private func stream(_ feed: EventFeed) async {
    var head = HTTPResponseHead(version: request.version, status: .ok)
    SecurityHeaders.add(to: &head.headers, guest: admission.guest)
    head.headers.add(name: "content-type", value: "text/event-stream")
    write(head)
    guard write(EventFormat.opening(feed)) else { return }
    around.heartbeat.add(self) { [weak self] in _ = self?.write(EventFormat.heartbeat) }
    var last: UInt64?
    for await event in feed.events {
      // The feed lets the oldest go where its listener is slow: it is to know.
      if let last, event.id > last + 1, !write(EventFormat.torn(feed.epoch)) { return }
      guard write(EventFormat.lines(event, epoch: feed.epoch)) else { return }
      last = event.id
      if isChunked, around.broadcast.takeOver(self, from: feed, at: event.id) { return }
    }
    finish()
  }

  /// Writes a part of a stream of events; false when the client is gone or reads too slowly: then it is closed.
  private func write(_ lines: [UInt8]) -> Bool {
    guard let context, isReading(context) else { return false }
    let part = Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: lines))))
    watch({ context.writeAndFlush($0) }, part, events: (1, lines.count))
    return true
  }

  private func isReading(_ context: ChannelHandlerContext) -> Bool {
    let limits = around.limits
    let excess: AccessLimit? =
      unsentEvents.count >= limits.events ? .events : unsentEvents.bytes >= limits.eventBytes ? .eventBytes : nil
    guard let excess else { return true }
    around.cuts.count(excess, of: around.client, at: eventLoop.now)
    context.close(promise: nil)
    return false
  }

  private func write(_ head: HTTPResponseHead) {
    var head = head
    if head.status != .continue, !request.isKeepAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
    write(.head(head), flush: true)
  }

  private func write(
    _ part: HTTPServerResponsePart, flush: Bool, then done: @escaping () -> Void = {}
  ) {
    guard let context else { return }
    watch({ flush ? context.writeAndFlush($0) : context.write($0) }, Self.wrapOutboundOut(part), then: done)
  }

  /// Writes something, and watches whether the client takes it.
  private func watch(
    _ write: (NIOAny) -> EventLoopFuture<Void>, _ data: NIOAny, events: (count: Int, bytes: Int) = (0, 0),
    then done: @escaping () -> Void = {}
  ) {
    if unsent == 0 { lastTaken = eventLoop.now }
    unsent += 1
    unsentEvents = (unsentEvents.count + events.count, unsentEvents.bytes + events.bytes)
    write(data).assumeIsolated().whenComplete { _ in
      self.unsent -= 1
      self.unsentEvents = (self.unsentEvents.count - events.count, self.unsentEvents.bytes - events.bytes)
      self.lastTaken = self.eventLoop.now
      done()
      // While more is waited for, the timer stays, and looks again when it goes off.
      if self.unsent == 0 { self.rearm() }
    }
    if unsent > 0 { rearm() }
  }

  /// Ends the answer. The pipeline handler hands in the next request from within this write.
  private func finish() {
    giveBodyBack()
    stopListening()
    guard let context else { return }
    if case .refused = state {
      wait(.bodySeconds, around.limits.bodySeconds)
      return write(.end(nil), flush: true) { context.close(mode: .output, promise: nil) }
    }
    let isKept = request.isKeepAlive
    state = isKept ? .open : .ended
    wait(.idleSeconds, around.limits.idleSeconds)
    write(.end(nil), flush: true) {
      if !isKept { context.close(promise: nil) }
    }
  }
}

// MARK: - Events that go to many

extension HTTPConnection: EventListener {
  /// Older clients get a body that ends with the connection.
  private var isChunked: Bool { request.version != .http1_0 }

  /// The chunk is for the socket as it is: the encoder and those behind it would only pass it on, once a listener.
  func send(_ events: EventBroadcast.Chunk) {
    guard let context, isReading(context),
      let encoder = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
    else { return }
    let bytes = NIOAny(IOData.byteBuffer(events.bytes))
    watch({ encoder.writeAndFlush($0) }, bytes, events: (events.count, events.bytes.readableBytes))
  }

  func end() { finish() }

  private func stopListening() {
    around.broadcast.remove(self)
    around.heartbeat.remove(self)
  }
}

// MARK: - Refusing

extension HTTPConnection {
  /// Refuses what is more than a limit lets through, and counts it.
  private func cut(_ limit: AccessLimit, _ problem: Problem) {
    around.cuts.count(limit, of: around.client, at: eventLoop.now)
    refuse(Response(problem))
  }

  /// Answers at once and for the last time. The client may still be sending: closing now could take the answer from
  /// it, so only our side is closed, and the rest of its request is read and thrown away.
  private func refuse(_ response: Response) {
    request.headers.replaceOrAdd(name: "connection", value: "close")
    state = .refused(discarded: 0)
    send(response)
  }

  private func discard(_ part: HTTPServerRequestPart, after discarded: Int) {
    switch part {
    case .head: break
    case .body(let buffer) where discarded + buffer.readableBytes <= around.limits.discarded:
      state = .refused(discarded: discarded + buffer.readableBytes)
    case .body, .end: context?.close(promise: nil)
    }
  }
}
