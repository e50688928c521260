public import Control
import NIOCore
import NIOHTTP1

/// A notice in the event stream: an event or a gap.
public enum EventNotice: Hashable, Sendable {
  /// An event, with the place from which a client can resume after a disconnect; nil if the service sends none.
  case event(ControlEvent, at: EventPlace?)
  /// A gap: events were lost, or the service restarted.
  ///
  /// Clients must reload all state.
  case gap(epoch: String)
}

/// The service's events as they happen, with a notice for each gap.
///
/// The sequence supports one consumer. It ends when the service ends the stream. It fails when the connection breaks or
/// more than 1024 notices are unread.
public struct EventNotices: AsyncSequence, Sendable {
  /// The error that iteration throws.
  public typealias Failure = ClientError

  private let stream: AsyncThrowingStream<EventNotice, any Error>

  static func open(
    _ address: ServiceAddress, _ request: Outgoing, group: any EventLoopGroup, within limit: TimeAmount?
  ) async throws(ClientError) -> EventNotices {
    let loop = group.next()
    let opened = loop.makePromise(of: Void.self)
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: EventNotice.self, throwing: (any Error).self, bufferingPolicy: .bufferingOldest(EventCollector.limit))
    let timer = PlacardClient.scheduleTimeout(opened, on: loop, address, limit)
    defer { timer?.cancel() }
    do {
      let connection: Connection
      do {
        connection = try await Connection(to: address, on: loop, within: limit) {
          EventCollector(address, opened, continuation)
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

  /// Returns an iterator over the notices.
  public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

  /// An iterator over the notices.
  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncThrowingStream<EventNotice, any Error>.Iterator

    /// Returns the next notice, or nil if the stream has ended or the task was canceled.
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

/// The service's events as they happen.
///
/// The sequence supports one consumer. It ends when the service ends the stream. It fails when the connection breaks or
/// more than 1024 events are unread.
public struct ControlEvents: AsyncSequence, Sendable {
  /// The error that iteration throws.
  public typealias Failure = ClientError

  let notices: EventNotices

  /// Returns an iterator over the events.
  public func makeAsyncIterator() -> Iterator { Iterator(base: notices.makeAsyncIterator()) }

  /// An iterator over the events.
  public struct Iterator: AsyncIteratorProtocol {
    var base: EventNotices.Iterator

    /// Returns the next event, or nil if the stream has ended or the task was canceled.
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

/// A handler that forwards events from the connection to the consumer.
///
/// It is confined to the channel's event loop.
final class EventCollector: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  /// The maximum number of unread notices.
  static let limit = 1024
  /// The maximum time without a byte over TCP.
  ///
  /// The service sends a comment every 15 seconds. A Unix socket closes when the service ends, and has no comments.
  static let longestSilence = TimeAmount.seconds(35)

  private let host: String
  private let isRemote: Bool
  private let opened: EventLoopPromise<Void>
  private let events: AsyncThrowingStream<EventNotice, any Error>.Continuation
  /// The timer that ends the stream after more than two missing heartbeats.
  private var silence: Scheduled<Void>?
  private var parser = EventParser()
  private var refusal: Reply?
  private var isOpen = false
  private var isDone = false

  init(
    _ address: ServiceAddress, _ opened: EventLoopPromise<Void>,
    _ events: AsyncThrowingStream<EventNotice, any Error>.Continuation
  ) {
    host = "\(address)"
    if case .tcp = address { isRemote = true } else { isRemote = false }
    self.opened = opened
    self.events = events
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    expectMore(context)
    do throws(ClientError) {
      switch Self.unwrapInboundIn(data) {
      case .head(let head): begin(head)
      case .body(let part): try receive(part)
      case .end: try finish()
      }
    } catch {
      fail(error)
    }
  }

  private func expectMore(_ context: ChannelHandlerContext) {
    guard isRemote else { return }
    silence?.cancel()
    silence = context.eventLoop.assumeIsolated().scheduleTask(in: Self.longestSilence) {
      self.fail(.noAnswer(self.host, seconds: Double(Self.longestSilence.nanoseconds) / 1e9))
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    silence?.cancel()
    fail(.protocolError("The service closed the event stream; it may have stopped."))
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

  private func receive(_ part: ByteBuffer) throws(ClientError) {
    if let refusal {
      guard refusal.body.readableBytes + part.readableBytes <= parser.limit else {
        throw .protocolError("The service's error response is too long.")
      }
      self.refusal?.body.writeImmutableBuffer(part)
      return
    }
    for notice in try parser.feed(part.readableBytesView) {
      if case .dropped = events.yield(notice) {
        throw .protocolError("The events were not read in time: more than \(Self.limit) were queued.")
      }
    }
  }

  private func finish() throws(ClientError) {
    if refusal?.status == 401 { throw .tokenRequired(host) }
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
