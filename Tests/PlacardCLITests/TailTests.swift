import Calendars
import Control
import FakeServiceSupport
import Geometry
import Testing

@testable import CommandLineTool

@Suite struct TailTests {
  private static let event = ControlEvent(id: 1, kind: .connected, display: "DP-1", time: 1_000_000_000)

  @Test func `A stop and a return of the service are reported, and its events continue`() async throws {
    try await Running.run { (running: Running) async throws in
      async let first: Void = running.service.readers.sendToNextReader([Self.event])
      async let ended = running.placard(["tail", "--count", "2"])
      await first
      await running.service.readers.sendToNextReader([Self.event])
      let (status, console) = await ended
      #expect(status == 0)
      #expect(console.text == "connected  DP-1\nconnected  DP-1\n")
      #expect(
        console.errors == """
          Waiting for events; Ctrl-C ends.
          The service has stopped. Waiting for it.
          The service is back.

          """)
    }
  }

  @Test(
    "An event is printed with its time, and with its date unless that is today",
    arguments: [
      (1_795_262_498_042, "12:01:38.042"), (1_795_262_498_999, "12:01:38.999"),
      (1_795_176_098_000, "2026-11-20 12:01:38.000"),
    ] as [(Int64, String)])
  func time(milliseconds: Int64, text: String) {
    let clock = WallClock(now: 1_795_262_500, zone: .utc)
    let event = ControlEvent(
      id: 1, kind: .dark, display: "DP-1", time: 7, date: Timestamp(milliseconds: milliseconds), detail: "x")
    #expect(TailCommand.line(event, clock, .plain) == text + "  dark  DP-1  x")
  }

  @Test func `Lost events are reported`() async throws {
    try await Running.run { (running: Running) async throws in
      running.service.tearFeeds()
      async let first: Void = running.service.readers.sendToNextReader([Self.event])
      async let ended = running.placard(["tail", "--json", "--count", "2"])
      await first
      await running.service.readers.sendToNextReader([Self.event])
      let (_, console) = await ended
      #expect(console.errors.contains("Some events were lost"))
    }
  }

  @Test func `Watching draws the display's frame, and draws it again after a change`() async throws {
    try await Running.run { (running: Running) async throws in
      let terminal = MemoryTerminal(TerminalSize(columns: 40, rows: 13))
      let environment = ["TERM": "xterm", "COLORTERM": "truecolor"]
      async let ended = running.placard(
        ["watch", "HDMI-A-1"], columns: 40, environment: environment, terminal: terminal)
      await terminal.wait(for: "\u{1b}[?1049h\u{1b}[?25l")
      await terminal.wait(for: "\u{1b}[c")
      terminal.type("\u{1b}[?1;2c")
      await terminal.wait(for: "\u{1b}[1;1H\u{1b}[48;2;255;255;255m")
      running.service.change(to: .black)
      running.service.readers.send(Self.event)
      await terminal.wait(for: "\u{1b}[1;1H\u{1b}[48;2;0;0;0m")
      terminal.resize(TerminalSize(columns: 20, rows: 13))
      await terminal.wait(for: "\u{1b}[2J")
      terminal.type("q")
      let (status, _) = await ended
      #expect(status == 0 && !terminal.isOpen && terminal.text.hasSuffix("\u{1b}[?25h\u{1b}[?1049l"))
      // The preview has as many pixels as the terminal has cells.
      #expect(running.service.calls.first == .preview("HDMI-A-1", PreviewRequest(width: 40, format: .png)))
    }
  }

  @Test func `The reason of a dark display is printed, and a signal ends watching`() async throws {
    try await Running.run { (running: Running) async throws in
      let terminal = MemoryTerminal(TerminalSize(columns: 80, rows: 13))
      async let ended = running.placard(["watch", "DP-1", "--as", "sixel"], columns: 80, terminal: terminal)
      await terminal.wait(for: "DP-1 is dark: no mode was taken.")
      terminal.send(.ended)
      #expect(await ended.status == 0)
      #expect(!terminal.isOpen)
    }
  }

  @Test(arguments: [("sixel", "\u{1b}P0;1;0q"), ("kitty", "\u{1b}_Ga=T,f=100"), ("ascii", "@@@@@@")])
  func `Watching once draws to any output`(way: String, expected: String) async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["watch", "HDMI-A-1", "--once", "--as", way])
      #expect(status == 0 && console.text.hasPrefix(expected))
      let (refused, other) = await running.placard(["watch", "HDMI-A-1"])
      #expect(refused == 1 && other.errors.contains("--once"))
    }
  }
}
