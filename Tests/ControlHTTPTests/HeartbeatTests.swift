import NIOCore
import NIOPosix
import Testing

@testable import ControlHTTP

/// The heartbeat of idle event streams.
struct HeartbeatTests {
  private final class Listener {}

  @Test func `Event streams get a heartbeat, and the timer is stopped if there are no streams`() async throws {
    let (beats, continuation) = AsyncStream.makeStream(of: Void.self)
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let (heartbeat, first, second) = try await loop.submit {
      let heartbeat = Heartbeat(on: loop, every: .milliseconds(1))
      #expect(!heartbeat.isBeating)
      let listeners = [Listener(), Listener()]
      for listener in listeners { heartbeat.add(listener) { continuation.yield() } }
      let bound = listeners.map { NIOLoopBound($0, eventLoop: loop) }
      return (NIOLoopBound(heartbeat, eventLoop: loop), bound[0], bound[1])
    }.get()
    var count = 0
    for await _ in beats {
      count += 1
      if count == 6 { break }
    }
    try await loop.submit {
      heartbeat.value.remove(first.value)
      #expect(heartbeat.value.isBeating)
      heartbeat.value.remove(second.value)
      #expect(!heartbeat.value.isBeating)
    }.get()
  }
}
