public import Control
import NIOCore
import NIOHTTP1

/// What happens at the service, as it happens. For one consumer; it ends when the service ends the stream, and fails
/// when the connection breaks off or the consumer is more than a thousand events behind.
public struct ControlEvents: AsyncSequence, Sendable {
  /// What it fails with.
  public typealias Failure = ClientError

  private let stream: AsyncThrowingStream<ControlEvent, any Error>

  static func open(socket: String, group: any EventLoopGroup) async throws(ClientError) -> ControlEvents {
    let loop = group.next()
    let opened = loop.makePromise(of: Void.self)
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: ControlEvent.self, throwing: (any Error).self, bufferingPolicy: .bufferingOldest(EventCollector.limit))
    do {
      let connection: Connection
      do {
        connection = try await Connection(to: socket, on: loop) { EventCollector(opened, continuation) }
      } catch {
        opened.fail(error)
        throw error
      }
      continuation.onTermination = { _ in connection.close() }
      connection.send(.GET, "/v1/events", body: nil)
      try await opened.futureResult.get()
      return ControlEvents(stream: stream)
    } catch {
      throw error as? ClientError ?? .protocolError("\(error)")
    }
  }

  /// Starts to take events out.
  public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

  /// Takes events out, one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncThrowingStream<ControlEvent, any Error>.Iterator

    /// The next event; nil when the stream has ended or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ClientError) -> ControlEvent? {
      do {
        return try await base.next(isolation: actor)
      } catch {
        throw error as? ClientError ?? .protocolError("\(error)")
      }
    }
  }
}

/// Takes events from the connection to the consumer. Lives on the channel's event loop.
final class EventCollector: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  /// Most events that wait for the consumer.
  static let limit = 1024

  private let opened: EventLoopPromise<Void>
  private let events: AsyncThrowingStream<ControlEvent, any Error>.Continuation
  private var parser = EventParser()
  private var refusal: Reply?
  private var isOpen = false
  private var isDone = false

  init(_ opened: EventLoopPromise<Void>, _ events: AsyncThrowingStream<ControlEvent, any Error>.Continuation) {
    self.opened = opened
    self.events = events
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
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

  func channelInactive(context: ChannelHandlerContext) {
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
    for event in try parser.feed(part.readableBytesView) {
      if case .dropped = events.yield(event) {
        throw .protocolError("The events were not read in time: more than \(Self.limit) waited.")
      }
    }
  }

  private func finish() throws(ClientError) {
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
