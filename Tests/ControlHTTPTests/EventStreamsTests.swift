import Control
import NIOCore
import NIOPosix
import Testing

@testable import ControlHTTP

/// What all streams of events have in common.
@Suite struct EventStreamsTests {
  private final class Listener {}

  @Test func `Listeners hear a heartbeat while they listen, and without any there is none`() async throws {
    let (beats, continuation) = AsyncStream.makeStream(of: String.self)
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let (streams, first, second) = try await loop.submit {
      let streams = EventStreams(on: loop, every: .milliseconds(1))
      #expect(!streams.isBeating)
      let listeners = [Listener(), Listener()]
      for listener in listeners { streams.add(listener) { continuation.yield(String(buffer: $0)) } }
      let bound = listeners.map { NIOLoopBound($0, eventLoop: loop) }
      return (NIOLoopBound(streams, eventLoop: loop), bound[0], bound[1])
    }.get()
    var count = 0
    for await beat in beats {
      #expect(beat == ":\n\n")
      count += 1
      if count == 6 { break }
    }
    try await loop.submit {
      streams.value.remove(first.value)
      #expect(streams.value.isBeating)
      streams.value.remove(second.value)
      #expect(!streams.value.isBeating)
    }.get()
  }

  @Test func `An event is written once for all who listen`() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    try await loop.submit {
      let streams = EventStreams(on: loop)
      for id in 1...200 as ClosedRange<UInt64> {
        let event = ControlEvent(id: id, kind: .dark, display: "A", time: id)
        let lines = streams.lines(event, epoch: "e")
        #expect(Array(buffer: lines) == EventFormat.lines(event, epoch: "e"))
        #expect(streams.lines(event, epoch: "e") == lines)
        #expect(streams.lines(event, epoch: "f") != lines)
      }
    }.get()
  }
}
