import Access
import Control
import Logging
import NIOCore
import NIOHTTP1

extension HTTPConnection {
  /// The number of bytes of a response per write; each piece that is sent counts as progress of the client.
  private static let piece = 64 << 10

  func send(_ response: Response) {
    var head = HTTPResponseHead(version: request.version, status: response.status, headers: response.headers)
    SecurityHeaders.add(to: &head.headers, allowedOrigin: decision.allowedOrigin)
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

  func stream(_ feed: EventFeed, ended: (@Sendable () -> Void)?) async {
    streamEnded = ended
    guard context?.channel.isActive == true else { return stopListening() }
    var head = HTTPResponseHead(version: request.version, status: .ok)
    SecurityHeaders.add(to: &head.headers, allowedOrigin: decision.allowedOrigin)
    head.headers.add(name: "content-type", value: "text/event-stream")
    write(head)
    guard write(EventFormat.opening(feed)) else { return }
    // The end of a process closes its Unix socket, and nothing stands between. Each heartbeat would wake both sides.
    if case .web = environment.client {
      environment.heartbeat.add(self) { [weak self] in _ = self?.write(EventFormat.heartbeat) }
    }
    var last: UInt64?
    for await event in feed.events {
      // The feed of a slow client drops the oldest events: report the gap.
      if let last, event.id > last + 1, !write(EventFormat.gap(feed.epoch)) { return }
      guard write(EventFormat.lines(event, epoch: feed.epoch)) else { return }
      last = event.id
      if isChunked, environment.broadcast.takeOver(self, from: feed, at: event.id) { return }
    }
    finish()
  }

  /// Writes an answer in parts, each after the client has received the previous one.
  ///
  /// If a part cannot be made, the connection is closed without the end of the body, so that the client detects the
  /// error.
  ///
  /// - Parameter parts: The media type and the source of the parts.
  func stream(_ parts: AnswerParts) async {
    var head = HTTPResponseHead(version: request.version, status: .ok)
    SecurityHeaders.add(to: &head.headers, allowedOrigin: decision.allowedOrigin)
    head.headers.add(name: "content-type", value: parts.type)
    if !isChunked { request.headers.replaceOrAdd(name: "connection", value: "close") }
    write(head)
    do {
      while request.method != .HEAD, let bytes = try await parts.next() {
        guard await writeAndWait(bytes) else { return }
      }
      finish()
    } catch {
      if Task.isCancelled { return }
      environment.logger.warning("the answer to \(environment.client) was aborted: \(error)")
      context?.close(promise: nil)
    }
  }

  /// Writes a part of an answer and waits until it is sent; returns false if the client has disconnected.
  private func writeAndWait(_ bytes: [UInt8]) async -> Bool {
    guard context != nil, !bytes.isEmpty else { return context != nil }
    let taken = eventLoop.makePromise(of: Void.self)
    write(.body(.byteBuffer(ByteBuffer(bytes: bytes))), flush: true) { taken.succeed() }
    try? await taken.futureResult.get()
    return context?.channel.isActive ?? false
  }

  /// Writes a part of an event stream; returns false if the client has disconnected or is dropped as a slow reader.
  private func write(_ lines: [UInt8]) -> Bool {
    guard let context, isReading() else { return false }
    let part = Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: lines))))
    watch({ context.writeAndFlush($0) }, part, Unsent.Piece(bytes: lines.count, events: 1))
    return true
  }

  private func isReading() -> Bool {
    guard let excess = unsent.excess(environment.limits) else { return true }
    drop(excess)
    return false
  }

  func write(_ head: HTTPResponseHead) {
    var head = head
    if head.status != .continue, !request.isKeepAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
    write(.head(head), flush: true)
  }

  private func write(
    _ part: HTTPServerResponsePart, flush: Bool, then done: @escaping () -> Void = {}
  ) {
    guard let context else { return done() }
    var bytes = 0
    if case .body(.byteBuffer(let buffer)) = part { bytes = buffer.readableBytes }
    watch(
      { flush ? context.writeAndFlush($0) : context.write($0) }, Self.wrapOutboundOut(part),
      Unsent.Piece(bytes: bytes), then: done)
  }

  /// Writes data and tracks it until it is sent.
  private func watch(
    _ write: (NIOAny) -> EventLoopFuture<Void>, _ data: NIOAny, _ piece: Unsent.Piece,
    then done: @escaping () -> Void = {}
  ) {
    let answerBytes = piece.events == 0 ? piece.bytes : 0
    unsent.add(piece, at: eventLoop.now)
    if answerBytes > 0 { environment.backlog.add(answerBytes, of: self) }
    write(data).assumeIsolated().whenComplete { _ in
      self.unsent.remove(piece, at: self.eventLoop.now)
      if answerBytes > 0 { self.environment.backlog.remove(answerBytes, of: self) }
      done()
      // While other data is unsent, the timer stays armed and checks the deadline when it fires.
      if self.unsent.isEmpty { self.rearm() }
    }
    guard !unsent.isEmpty else { return }
    rearm()
    if answerBytes > 0 { environment.backlog.makeRoom(for: self, most: environment.limits.answers) }
  }

  /// Ends the answer; the pipeline handler delivers the next request from within this write.
  private func finish() {
    releaseBody()
    stopListening()
    guard let context else { return }
    if case .refused = state {
      wait(.bodySeconds, environment.limits.bodySeconds)
      return write(.end(nil), flush: true) { context.close(mode: .output, promise: nil) }
    }
    let isKept = request.isKeepAlive
    state = isKept ? .open : .ended
    wait(.idleSeconds, environment.limits.idleSeconds)
    write(.end(nil), flush: true) {
      if !isKept { context.close(promise: nil) }
    }
  }
}

// MARK: - Broadcast events

extension HTTPConnection: EventListener {
  /// Whether the body is chunked; for HTTP/1.0 clients, it ends with the connection.
  private var isChunked: Bool { request.version != .http1_0 }

  /// Sends a chunk past the encoder and the handlers before it, which would only forward it once per listener.
  func send(_ events: EventBroadcast.Chunk) {
    guard let context, isReading(),
      let encoder = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
    else { return }
    let bytes = NIOAny(IOData.byteBuffer(events.bytes))
    watch(
      { encoder.writeAndFlush($0) }, bytes, Unsent.Piece(bytes: events.bytes.readableBytes, events: events.count))
  }

  func end() { finish() }

  func stopListening() {
    environment.broadcast.remove(self)
    environment.heartbeat.remove(self)
    streamEnded?()
    streamEnded = nil
  }
}
