import Control
import ControlClient
import ControlHTTP
import FakeServiceSupport
import Testing

@Suite struct EventBroadcastTests {
  private func event(_ id: UInt64) -> ControlEvent {
    ControlEvent(id: id, kind: .messageShown, display: "HDMI-A-1", time: 99, detail: "Message \(id)")
  }

  @Test func `Listeners that connect one by one each get all later events, once and in order`() async throws {
    try await Serving.run { serving in
      var listeners: [(first: UInt64, events: ControlEvents)] = []
      for id in 1...120 as ClosedRange<UInt64> {
        if id % 3 == 1 { listeners.append((id, try await serving.client.events())) }
        serving.service.readers.send(event(id))
      }
      serving.service.readers.end()
      for listener in listeners {
        var received: [UInt64] = []
        for try await event in listener.events { received.append(event.id) }
        #expect(received == Array(listener.first...120))
      }
    }
  }

  @Test func `A listener that disconnects does not take away other listeners' events`() async throws {
    try await Serving.run { serving in
      let first = try await RawConnection.open(serving.socket)
      first.send("GET /v1/events HTTP/1.1\r\nhost: x\r\n\r\n")
      _ = await first.read(until: "retry: 1000\n\n")
      var second = try await serving.client.events().makeAsyncIterator()
      serving.service.readers.send(event(1))
      _ = await first.read(until: "}\n\n")
      #expect(try await second.next()?.id == 1)
      // All listeners share the feed of the first one.
      first.close()
      for id in 2...9 as ClosedRange<UInt64> {
        serving.service.readers.send(event(id))
        #expect(try await second.next()?.id == id)
      }
    }
  }

  @Test func `A listener that connects after all others have disconnected is served`() async throws {
    try await Serving.run { serving in
      for round in 0..<3 as Range<UInt64> {
        let connection = try await RawConnection.open(serving.socket)
        connection.send("GET /v1/events HTTP/1.1\r\nhost: x\r\n\r\n")
        _ = await connection.read(until: "retry: 1000\n\n")
        for id in 1...3 as ClosedRange<UInt64> {
          serving.service.readers.send(event(10 * round + id))
          #expect(await connection.read(until: "}\n\n").contains("id: e-\(10 * round + id)\n"))
        }
        connection.close()
        for await _ in serving.service.readers.gone { break }
      }
    }
  }

  @Test func `Events in quick succession are sent together`() async throws {
    try await Serving.run { serving in
      let connection = try await RawConnection.open(serving.socket)
      connection.send("GET /v1/events HTTP/1.1\r\nhost: x\r\n\r\n")
      _ = await connection.read(until: "retry: 1000\n\n")
      serving.service.readers.send(event(1))
      _ = await connection.read(until: "}\n\n")
      for id in 2...100 as ClosedRange<UInt64> { serving.service.readers.send(event(id)) }
      serving.service.readers.end()
      let text = await connection.read(until: "\r\n0\r\n\r\n")
      for id in 2...100 { #expect(text.contains("id: e-\(id)\n")) }
      let chunks = text.split(separator: "\r\n").count
      #expect(chunks < 50, "99 events arrived in \(chunks / 2) chunks")
    }
  }

  @Test func `A client of HTTP/1.0 gets events without chunked encoding`() async throws {
    try await Serving.run { serving in
      let connection = try await RawConnection.open(serving.socket)
      connection.send("GET /v1/events HTTP/1.0\r\nhost: x\r\n\r\n")
      _ = await connection.read(until: "retry: 1000\n\n")
      for id in 1...3 as ClosedRange<UInt64> {
        serving.service.readers.send(event(id))
        let text = await connection.read(until: "}\n\n")
        #expect(text.hasPrefix("id: e-\(id)\nevent: messageShown\ndata: {"))
      }
      serving.service.readers.end()
    }
  }
}
