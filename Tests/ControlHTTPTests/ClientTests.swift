import Control
import ControlClient
import ControlHTTP
import NIOCore
import NIOPosix
import Testing

@Suite struct ClientTests {
  @Test func `Every client call returns the service's response`() async throws {
    try await Serving.run { serving in
      let (client, service) = (serving.client, serving.service)
      #expect(try await client.status() == service.status())
      #expect(try await client.displays() == service.displays())
      #expect(try await client.display("büro 1/2").name == "büro 1/2")
      #expect(try await client.why("büro 1/2") == service.why("büro 1/2"))
      let report = try await client.setMessage(MessageRequest(text: "Grüße\n", display: "büro 1/2", wait: true))
      #expect(report.text == "Grüße\n" && report.shown.map(\.milliseconds) == [3.25])
      #expect(try await client.message("büro 1/2").text == "Grüße\n")
      #expect(try await client.message().text == nil)
      let cleared = ClearReport(removed: [ClearReport.Removed(id: 1, summary: "Grüße\n")])
      #expect(try await client.removeMessage("büro 1/2") == cleared)
      #expect(try await client.removeAllMessages() == FakeService.clearReport)
      #expect(try await client.closedSessions() == [FakeService.closedReport])
      #expect(try await client.plug(PlugRequest(edid: "AP8=")).name == "Virtual-2")
      #expect(service.plugs == [PlugRequest(edid: "AP8=")])
      try await client.unplug("HDMI-A-1")
    }
  }

  @Test func `A rejected call throws the service's error`() async throws {
    try await Serving.run { serving in
      let client = serving.client
      await #expect(throws: ClientError.refused(.unknownDisplay("DP-9", known: ["HDMI-A-1", "büro 1/2"]))) {
        try await client.why("DP-9")
      }
      await #expect(throws: ClientError.refused(ControlError(.conflict, "No display is lit: plug one in."))) {
        try await client.setMessage(MessageRequest(text: "conflict"))
      }
      await #expect(throws: ClientError.refused(ControlError(.failed, "The card failed."))) {
        try await client.setMessage(MessageRequest(text: "fail"))
      }
      await #expect(
        throws: ClientError.refused(ControlError(.invalid, "The field width is 1: it must be from 16 to 16384."))
      ) {
        try await client.plug(PlugRequest(width: 1, height: 1))
      }
    }
  }

  @Test func `A body above the limit is rejected, and the client receives the error`() async throws {
    try await Serving.run { serving in
      let text = String(repeating: "a", count: 3 << 20)
      do throws(ClientError) {
        try await serving.client.setMessage(MessageRequest(text: text))
        Issue.record("The message was accepted.")
      } catch {
        #expect("\(error)".contains("more than 524288 bytes"))
      }
    }
  }

  @Test func `A service that accepts a connection and never responds is reported after the time limit`() async throws {
    try await withTemporaryDirectory { directory in
      // The kernel accepts connections into the queue of a listening socket, as for a stopped service.
      let path = "\(directory)/s"
      let group = NIOSingletons.posixEventLoopGroup
      let silent = try await ServerBootstrap(group: group).serverChannelOption(.backlog, value: 8)
        .serverChannelInitializer { $0.setOption(.autoRead, value: false) }.bind(unixDomainSocketPath: path).get()
      let client = PlacardClient(socket: path).answering(within: 0.1)
      let late = ClientError.noAnswer(path, seconds: 0.1)
      await #expect(throws: late) { try await client.status() }
      await #expect(throws: late) { try await client.setMessage(MessageRequest(text: "a")) }
      await #expect(throws: late) { try await client.events() }
      #expect("\(late)".contains("did not answer within 0.1 s"))
      try await silent.close()
    }
  }

  @Test func `If no service listens, the error names the path`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      await #expect(throws: ClientError.noService(path)) { try await PlacardClient(socket: path).status() }
      #expect("\(ClientError.noService(path))".contains("systemctl start placard"))
    }
  }

  @Test func `A service that stops in the middle of a response causes an error, not a hang`() async throws {
    try await Serving.run { serving in
      let client = serving.client
      let held = Task { try await client.setMessage(MessageRequest(text: "hold", wait: true)) }
      for await _ in serving.service.waits { break }
      await serving.server.close()
      await #expect(throws: ClientError.self) { try await held.value }
    }
  }

  @Test func `Cancelling a call stops the service's work on it`() async throws {
    try await Serving.run { serving in
      let client = serving.client
      let call = Task { try await client.setMessage(MessageRequest(text: "hold", wait: true)) }
      for await _ in serving.service.waits { break }
      call.cancel()
      await #expect(throws: ClientError.self) { try await call.value }
      for await _ in serving.service.cancellations { break }
    }
  }
}
