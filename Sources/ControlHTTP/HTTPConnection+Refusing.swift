import Access
import Control
import NIOCore
import NIOHTTP1

// MARK: - Time

extension HTTPConnection {
  /// Bytes came in: where nothing was under way, a head has begun, which is to come soon.
  func bytesCame() {
    hasBegun = true
    guard case .open = state, wait?.limit == .idleSeconds else { return }
    wait(.headSeconds, around.limits.headSeconds)
  }

  /// Gives the client so many seconds from now, or with nil all the time.
  func wait(_ limit: AccessLimit?, _ seconds: Int = 0) {
    wait = limit.map { Wait(limit: $0, due: eventLoop.now + .seconds(Int64(seconds))) }
    rearm()
  }

  func rearm() { deadline.set(unsent.due(around.limits)?.time ?? wait?.due) }

  func timeIsOver() {
    guard let context else { return }
    if let due = unsent.due(around.limits) {
      guard eventLoop.now >= due.time else { return rearm() }
      return drop(due.limit)
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

// MARK: - Refusing

extension HTTPConnection {
  /// Refuses what is more than a limit lets through, and counts it.
  func cut(_ limit: AccessLimit, _ problem: Problem) {
    around.cuts.count(limit, of: around.client, at: eventLoop.now)
    refuse(Response(problem))
  }

  /// Answers at once and for the last time. The client may still be sending: closing now could take the answer from
  /// it, so only our side is closed, and the rest of its request is read and thrown away.
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
    guard discarded + count <= around.limits.discarded else { context?.close(promise: nil); return }
    state = .refused(discarded: discarded + count)
  }

  /// Closes the connection of a client that holds an answer for longer, or more of it, than a limit allows.
  func drop(_ limit: AccessLimit) {
    around.cuts.count(limit, of: around.client, at: eventLoop.now)
    context?.close(promise: nil)
  }
}
