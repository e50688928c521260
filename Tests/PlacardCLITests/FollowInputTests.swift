import Control
import FakeServiceSupport
import Testing

@Suite struct FollowInputTests {
  @Test func `The last line of the input is shown as it arrives, and stays at the end`() async throws {
    try await Running.run { (running: Running) async throws in
      let parts = InputParts()
      async let ended = running.placard(["show", "--follow", "-"], parts: parts)
      parts.send("one\ntwo\n")
      await running.service.waitForMessage("two")
      parts.send("thr")
      parts.send("ee\n")
      await running.service.waitForMessage("three")
      parts.send("four")
      parts.finish()
      #expect(await ended.status == 0)
      #expect(running.service.messages.map(\.text) == ["two", "three", "four"])
      #expect(running.service.removed.isEmpty)
    }
  }

  @Test func `Several lines are shown on one display and removed at the end`() async throws {
    try await Running.run { (running: Running) async throws in
      let parts = InputParts()
      parts.send("1\n2\n3\n")
      parts.finish()
      let arguments = ["show", "--follow", "-", "--lines", "2", "--display", "DP-1", "--clear-at-end"]
      #expect(await running.placard(arguments, parts: parts).status == 0)
      #expect(running.service.messages.map(\.text) == ["2\n3"])
      #expect(running.service.removed == ["DP-1"])
    }
  }

  @Test func `Ctrl-C removes the message if --clear-at-end is given`() async throws {
    try await Running.run { (running: Running) async throws in
      let parts = InputParts()
      async let ended = running.placard(
        ["show", "--follow", "-", "--priority", "5", "--clear-at-end"], parts: parts)
      parts.send("one\n")
      await running.service.waitForCall()
      parts.end()
      #expect(await ended.status == 0)
      guard case .post(let request)? = running.service.calls.first else { throw Missing() }
      #expect(request.text == "one" && request.name?.hasPrefix("input-") == true)
      #expect(running.service.calls.last == .withdraw(5))
    }
  }

  @Test func `A refusal of the first text ends the command`() async throws {
    try await Running.run { (running: Running) async throws in
      let parts = InputParts()
      parts.send("one\n")
      let (status, console) = await running.placard(["show", "--follow", "-", "-d", "X"], parts: parts)
      #expect(status == 1 && console.errors.contains("no display X"))
    }
  }

  @Test func `A later refusal is reported, and the next text is shown`() async throws {
    try await Running.run { (running: Running) async throws in
      let parts = InputParts()
      async let ended = running.placard(["show", "--follow", "-", "--json"], parts: parts)
      parts.send("one\n")
      await running.service.waitForMessage("one")
      parts.send("\(FakeService.refused)\n")
      await running.service.waitForMessage(FakeService.refused)
      parts.send("three\n")
      parts.finish()
      let (status, console) = await ended
      #expect(status == 0)
      #expect(console.errors == "placard: That is refused.\n")
      #expect(console.text.contains("\"text\":\"three\""))
    }
  }

  private struct Missing: Error {}
}
