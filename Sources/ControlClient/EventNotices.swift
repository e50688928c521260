public import Control
import NIOCore
import NIOHTTP1

/// Something that a listener is told.
public enum EventNotice: Hashable, Sendable {
  /// Something happened. From its place a listener can go on after a break; nil where the service gives none.
  case event(ControlEvent, at: EventPlace?)
  /// Events are lost, or the service was started anew: whoever shows what it has is to read everything again.
  case torn(epoch: String)
}

/// What happens at the service, as it happens, and whether something was missed. For one consumer; it ends when the
/// service ends the stream, and fails when the connection breaks off or the consumer is more than a thousand behind.
public struct EventNotices: AsyncSequence, Sendable {
  /// What it fails with.
  public typealias Failure = ClientError

  private let stream: AsyncThrowingStream<EventNotice, any Error>

  static func open(
    _ address: ServiceAddress, _ request: Outgoing, group: any EventLoopGroup, within limit: TimeAmount?
  ) async throws(ClientError) -> EventNotices {
    let loop = group.next()
    let opened = loop.makePromise(of: Void.self)
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: EventNotice.self, throwing: (any Error).self, bufferingPolicy: .bufferingOldest(EventCollector.limit))
    let timer = PlacardClient.failLate(opened, on: loop, address, limit)
    defer { timer?.cancel() }
    do {
      let connection: Connection
      do {
        connection = try await Connection(to: address, on: loop, within: limit) {
          EventCollector("\(address)", opened, continuation)
        }
      } catch {
        opened.fail(error)
        throw error
      }
      continuation.onTermination = { _ in connection.close() }
      connection.send(request)
      try await opened.futureResult.get()
      return EventNotices(stream: stream)
    } catch {
      continuation.finish()
      throw error as? ClientError ?? .protocolError("\(error)")
    }
  }

  /// Starts to take notices out.
  public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

  /// Takes notices out, one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncThrowingStream<EventNotice, any Error>.Iterator

    /// The next notice; nil when the stream has ended or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ClientError) -> EventNotice? {
      do {
        return try await base.next(isolation: actor)
      } catch {
        throw error as? ClientError ?? .protocolError("\(error)")
      }
    }
  }
}

/// What happens at the service, as it happens. For one consumer; it ends when the service ends the stream, and fails
/// when the connection breaks off or the consumer is more than a thousand events behind.
public struct ControlEvents: AsyncSequence, Sendable {
  /// What it fails with.
  public typealias Failure = ClientError

  let notices: EventNotices

  /// Starts to take events out.
  public func makeAsyncIterator() -> Iterator { Iterator(base: notices.makeAsyncIterator()) }

  /// Takes events out, one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    var base: EventNotices.Iterator

    /// The next event; nil when the stream has ended or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ClientError) -> ControlEvent? {
      while let notice = try await base.next(isolation: actor) {
        if case .event(let event, _) = notice { return event }
      }
      return nil
    }
  }
}

/// Takes events from the connection to the consumer. Lives on the channel's event loop.
final class EventCollector: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  /// Most events that wait for the consumer.
  static let limit = 1024
  /// The longest time without a byte: the service sends a comment every 15 seconds.
  static let longestSilence = TimeAmount.seconds(35)

  private let host: String
  private let opened: EventLoopPromise<Void>
  private let events: AsyncThrowingStream<EventNotice, any Error>.Continuation
  /// Ends the stream when nothing arrives for longer than two heartbeats of the service.
  private var silence: Scheduled<Void>?
  private var parser = EventParser()
  private var refusal: Reply?
  private var isOpen = false
  private var isDone = false

  init(
    _ host: String, _ opened: EventLoopPromise<Void>,
    _ events: AsyncThrowingStream<EventNotice, any Error>.Continuation
  ) {
    self.host = host
    self.opened = opened
    self.events = events
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    expectMore(context)
    do throws(ClientError) {
      switch Self.unwrapInboundIn(data) {
      case .head(let head): begin(head)
      case .body(let part): try take(part)
      case .end: try finish()
      }
    } catch {
      fail(error)
    }
  }

  private func expectMore(_ context: ChannelHandlerContext) {
    silence?.cancel()
    silence = context.eventLoop.assumeIsolated().scheduleTask(in: Self.longestSilence) {
      self.fail(.noAnswer(self.host, seconds: Double(Self.longestSilence.nanoseconds) / 1e9))
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    silence?.cancel()
    fail(.protocolError("The service closed the stream of events; did it stop?"))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(.protocolError("The connection to the service failed: \(error)."))
    context.close(promise: nil)
  }

  private func begin(_ head: HTTPResponseHead) {
    guard head.status == .ok else {
      refusal = Reply(status: Int(head.status.code), body: ByteBuffer())
      return
    }
    isOpen = true
    opened.succeed()
  }

  private func take(_ part: ByteBuffer) throws(ClientError) {
    if let refusal {
      guard refusal.body.readableBytes + part.readableBytes <= parser.limit else {
        throw .protocolError("The service's refusal has no end.")
      }
      self.refusal?.body.writeImmutableBuffer(part)
      return
    }
    for notice in try parser.feed(part.readableBytesView) {
      if case .dropped = events.yield(notice) {
        throw .protocolError("The events were not read in time: more than \(Self.limit) waited.")
      }
    }
  }

  private func finish() throws(ClientError) {
    if refusal?.status == 401 { throw .wantsToken(host) }
    _ = try refusal?.accepted()
    isDone = true
    events.finish()
  }

  private func fail(_ error: ClientError) {
    guard !isDone else { return }
    isDone = true
    if !isOpen { opened.fail(error) }
    events.finish(throwing: error)
  }
}
