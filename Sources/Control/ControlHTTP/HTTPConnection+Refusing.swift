import Access
import Control
import NIOCore
import NIOHTTP1

// MARK: - Timeouts

extension HTTPConnection {
  /// Records that bytes have arrived; on an idle connection, they begin a head, which must then arrive in time.
  func bytesReceived() {
    hasBegun = true
    guard case .open = state, wait?.limit == .idleSeconds else { return }
    wait(.headSeconds, environment.limits.headSeconds)
  }

  /// Sets the limit that applies to the client and its deadline in seconds from now; nil removes the deadline.
  func wait(_ limit: AccessLimit?, _ seconds: Int = 0) {
    wait = limit.map { Wait(limit: $0, due: eventLoop.now + .seconds(Int64(seconds))) }
    rearm()
  }

  func rearm() { deadline.set(unsent.due(environment.limits)?.time ?? wait?.due) }

  func deadlineExpired() {
    guard let context else { return }
    if let due = unsent.due(environment.limits) {
      guard eventLoop.now >= due.time else { return rearm() }
      return drop(due.limit)
    }
    switch (state, wait?.limit) {
    case (.open, .headSeconds?) where hasBegun:
      // Without a request, the pipeline lets an answer through only after a parser error.
      isLate = true
      context.pipeline.fireErrorCaught(HTTPParserError.unknown)
    case (.open, .bodySeconds?): cut(.bodySeconds, .tooSlow(environment.limits.bodySeconds, "The body"))
    case (_, .idleSeconds?):
      environment.rejections.countWithoutLogging(.idleSeconds)
      context.close(promise: nil)
    default: context.close(promise: nil)
    }
  }
}

// MARK: - Refusals

extension HTTPConnection {
  /// Refuses a request that exceeds a limit, and counts the rejection.
  func cut(_ limit: AccessLimit, _ problem: Problem) {
    environment.rejections.count(limit, of: environment.client, at: eventLoop.now)
    refuse(Response(problem))
  }

  /// Sends the last answer of the connection.
  ///
  /// The client may still be sending, and closing the connection now could prevent it from receiving the answer. Only
  /// the output is closed, and the rest of the request is read and discarded.
  ///
  /// - Parameter response: The response.
  func refuse(_ response: Response) {
    request.headers.replaceOrAdd(name: "connection", value: "close")
    state = .refused(discarded: 0)
    send(response)
  }

  func discard(_ part: HTTPServerRequestPart) {
    switch part {
    case .head: break
    case .body(let buffer): discard(buffer.readableBytes)
    case .end: context?.close(promise: nil)
    }
  }

  /// Discards bytes of a refused request, so that the client can read the answer before the connection closes.
  func discard(_ count: Int) {
    guard case .refused(let discarded) = state else { return }
    guard discarded + count <= environment.limits.discarded else { context?.close(promise: nil); return }
    state = .refused(discarded: discarded + count)
  }

  /// Closes the connection of a client that receives data more slowly than a limit allows, and counts the rejection.
  func drop(_ limit: AccessLimit) {
    environment.rejections.count(limit, of: environment.client, at: eventLoop.now)
    context?.close(promise: nil)
  }
}
