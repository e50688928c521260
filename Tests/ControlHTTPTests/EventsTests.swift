import Access
import Control
import ControlClient
import ControlHTTP
import FakeServiceSupport
import Testing

@Suite struct EventsTests {
  private func event(_ id: UInt64, detail: String? = nil) -> ControlEvent {
    ControlEvent(id: id, kind: .messageShown, display: "HDMI-A-1", time: 99, detail: detail)
  }

  @Test func `Events are sent as server-sent events of three lines each`() async throws {
    try await Serving.run { serving in
      let connection = try await RawConnection.open(serving.socket)
      connection.send("GET /v1/events HTTP/1.1\r\nhost: x\r\n\r\n")
      let head = await connection.read(until: "\r\n\r\n")
      #expect(head.contains("content-type: text/event-stream\r\n"))
      serving.service.readers.send(event(5, detail: "a\nb"))
      let json = #"{"detail":"a b","display":"HDMI-A-1","id":5,"kind":"messageShown","time":99}"#
      let text = await connection.read(until: "}\n\n")
      #expect(text.contains("id: e-5\nevent: messageShown\ndata: \(json)\n\n"))
      serving.service.readers.end()
      #expect(await connection.read(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
    }
  }

  @Test func `Events about texts of a megabyte reach the listener, which stays connected`() async throws {
    try await Serving.run { serving in
      let events = try await serving.client.events()
      let text = String(repeating: "Long ", count: 200_000)
      for id in 1...300 as ClosedRange<UInt64> { serving.service.readers.send(event(id, detail: text)) }
      serving.service.readers.end()
      var count = 0
      for try await event in events {
        count += 1
        #expect(event.detail?.count == 80)
      }
      #expect(count == 300)
    }
  }

  @Test func `The client receives events in order until the service ends the stream`() async throws {
    try await Serving.run { serving in
      let events = try await serving.client.events()
      let sent = (1...200).map { event(UInt64($0), detail: $0 % 7 == 0 ? nil : "Grüße \($0) \"\r\n\u{1F600}") }
      sent.forEach(serving.service.readers.send)
      serving.service.readers.end()
      var received: [ControlEvent] = []
      for try await event in events { received.append(event) }
      #expect(received == sent)
    }
  }

  @Test func `A listener resumes after its last event, and gets a gap event if events are lost`() async throws {
    try await Serving.run { serving in
      let place = EventPlace(epoch: "e", id: 3)
      let notices = try await serving.client.notices(after: place)
      for id in [4, 5, 9] as [UInt64] { serving.service.readers.send(event(id)) }
      serving.service.readers.end()
      var received: [EventNotice] = []
      for try await notice in notices { received.append(notice) }
      let events = [4, 5, 9].map { EventNotice.event(event($0), at: EventPlace(epoch: "e", id: $0)) }
      #expect(received == [events[0], events[1], .gap(epoch: "e"), events[2]])
      #expect(serving.service.calls == [.events(place)])
    }
  }

  @Test func `A listener from before the service's start gets a gap event immediately`() async throws {
    try await Serving.run { serving in
      for target in ["/v1/events?after=old-3 HTTP/1.1", "/v1/events HTTP/1.1\r\nlast-event-id: old-3"] {
        let connection = try await RawConnection.open(serving.socket)
        connection.send("GET \(target)\r\nhost: x\r\n\r\n")
        let text = await connection.read(until: "}\n\n")
        #expect(text.contains("retry: 1000\n\n") && text.contains("event: gap\ndata: {\"epoch\":\"e\"}\n\n"))
        connection.close()
      }
    }
  }

  @Test func `The service notices when a listener disconnects`() async throws {
    try await Serving.run { serving in
      let connection = try await RawConnection.open(serving.socket)
      connection.send("GET /v1/events HTTP/1.1\r\nhost: x\r\n\r\n")
      _ = await connection.read(until: "\r\n\r\n")
      connection.close()
      for await _ in serving.service.readers.gone { break }
    }
  }

  @Test func `A listener that does not read is disconnected, and the others are still served`() async throws {
    var limits = ControlServer.Limits.patient
    limits.events = 3
    try await Serving.run(limits: limits) { serving in
      let lazy = try await RawConnection.open(serving.socket, reads: false)
      let events = try await serving.client.events()
      lazy.send("GET /v1/events HTTP/1.1\r\nhost: x\r\n\r\n")
      await serving.service.readers.wait(for: 2)
      var reader = events.makeAsyncIterator()
      let text = String(repeating: "a", count: 1 << 16)
      for id in 1...16 as ClosedRange<UInt64> {
        serving.service.readers.send(event(id, detail: text))
        #expect(try await reader.next()?.id == id)
      }
      for await _ in serving.service.readers.gone { break }
      serving.service.readers.send(event(17))
      #expect(try await reader.next()?.id == 17)
      lazy.close()
    }
  }

  @Test func `The client's stream fails when the service stops`() async throws {
    try await Serving.run { serving in
      let events = try await serving.client.events()
      await serving.server.close()
      await #expect(throws: ClientError.self) {
        for try await _ in events {}
      }
      await #expect(throws: ClientError.noService(serving.socket)) { try await serving.client.events() }
    }
  }
}
