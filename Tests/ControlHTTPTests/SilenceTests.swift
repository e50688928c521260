import Control
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

@testable import ControlClient

/// An event stream from a service that has stopped sending.
struct SilenceTests {
  /// Returns the error that ended the stream.
  private final class Ending: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }

  /// Returns a channel of an event stream that is open, and its end.
  private func stream(from address: ServiceAddress) throws -> (channel: EmbeddedChannel, ending: Ending) {
    let channel = EmbeddedChannel()
    let opened = channel.embeddedEventLoop.makePromise(of: Void.self)
    let (_, events) = AsyncThrowingStream<EventNotice, any Error>.makeStream()
    let ending = Ending()
    events.onTermination = { end in
      if case .finished(let error) = end { ending.error.withLock { $0 = error } }
    }
    try channel.pipeline.syncOperations.addHandler(EventCollector(address, opened, events))
    let head = HTTPResponseHead(version: .http1_1, status: .ok)
    try channel.writeInbound(HTTPClientResponsePart.head(head))
    return (channel, ending)
  }

  @Test func `A stream over TCP ends after 35 seconds without a byte, and heartbeats keep it open`() throws {
    let address = ServiceAddress.tcp(host: "lobby.example", port: 8080)
    let (channel, ending) = try stream(from: address)
    for _ in 0..<4 {
      channel.embeddedEventLoop.advanceTime(by: .seconds(30))
      #expect(ending.error.withLock { $0 == nil })
      try channel.writeInbound(HTTPClientResponsePart.body(ByteBuffer(string: ":\n\n")))
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(35))
    let error = ending.error.withLock { $0 as? ClientError }
    #expect(error == .noAnswer("\(address)", seconds: 35))
    #expect(throws: ChannelError.alreadyClosed) { try channel.finish() }
  }

  @Test func `A stream over a Unix socket needs no heartbeat`() throws {
    let (channel, ending) = try stream(from: .socket("/run/placard.sock"))
    channel.embeddedEventLoop.advanceTime(by: .hours(24))
    #expect(ending.error.withLock { $0 == nil })
    _ = try channel.finish()
    #expect(ending.error.withLock { $0 != nil })
  }
}
