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

  @Test func `A stream ends after 35 seconds without a byte, and heartbeats keep it open`() throws {
    let channel = EmbeddedChannel()
    let opened = channel.embeddedEventLoop.makePromise(of: Void.self)
    let (_, events) = AsyncThrowingStream<EventNotice, any Error>.makeStream()
    let ending = Ending()
    events.onTermination = { end in
      if case .finished(let error) = end { ending.error.withLock { $0 = error } }
    }
    try channel.pipeline.syncOperations.addHandler(EventCollector("/run/placard.sock", opened, events))
    let head = HTTPResponseHead(version: .http1_1, status: .ok)
    try channel.writeInbound(HTTPClientResponsePart.head(head))
    for _ in 0..<4 {
      channel.embeddedEventLoop.advanceTime(by: .seconds(30))
      #expect(ending.error.withLock { $0 == nil })
      try channel.writeInbound(HTTPClientResponsePart.body(ByteBuffer(string: ":\n\n")))
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(35))
    let error = ending.error.withLock { $0 as? ClientError }
    #expect(error == .noAnswer("/run/placard.sock", seconds: 35))
    #expect(throws: ChannelError.alreadyClosed) { try channel.finish() }
  }
}
