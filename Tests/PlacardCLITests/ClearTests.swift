import Calendars
import Control
import FakeServiceSupport
import Testing

@testable import CommandLineTool

/// The requests and the output of `placard clear` and `placard undo`.
struct ClearTests {
  private static let remaining = ClearReport(
    removed: [ClearReport.Removed(id: 3, summary: "Hello\u{1b}")],
    remaining: [
      ClearReport.Remaining(id: 27, summary: "Fire drill", displays: ["DP-1", "HDMI-A-1"], acknowledge: true),
      ClearReport.Remaining(
        id: 5, summary: "Lunch", displays: ["DP-2"], expires: Timestamp(milliseconds: 1_000_000_000_000)),
    ])

  @Test(
    arguments: [
      ([], nil), (["--display", "DP-1"], "DP-1"), (["-d", "DP-1"], "DP-1"),
    ] as [([String], String?)])
  func `Clearing ends the message for all or for one display`(options: [String], display: String?) async throws {
    for command in [["clear"], ["show", "--clear"]] {
      try await Running.run { (running: Running) async throws in
        let (status, console) = await running.placard(command + options)
        #expect(status == 0 && console.errors.isEmpty)
        #expect(console.text == "`placard show` has no message on \(display ?? "all displays")\n")
        #expect(running.service.removed == [display])
      }
    }
  }

  @Test func `Clearing lists the messages that displays still show, and how to end them`() async throws {
    let clock = WallClock(now: 1_000_000_000, zone: .utc)
    #expect(
      Self.remaining.lines(none: "", clock: clock) == [
        "ended message 3: Hello ",
        "DP-1, HDMI-A-1 still show message 27 until `placard ack 27`: Fire drill",
        "DP-2 still shows message 5 until 01:46:40: Lunch",
        "`placard withdraw ID` ends one, `placard clear --all` ends all",
      ])
    try await Running.run { (running: Running) async throws in
      let none = await running.placard(["clear", "--all"])
      #expect(none.status == 0 && none.console.text == "there are no messages\n")
      running.service.willClear(Self.remaining)
      let (status, console) = await running.placard(["clear", "--all"])
      #expect(status == 0 && console.text.hasPrefix("ended message 3: Hello \n"))
      #expect(running.service.calls == [.removeAllMessages, .removeAllMessages])
    }
  }

  private static func closed(_ id: Int, _ display: String) -> ClosedSessionReport {
    ClosedSessionReport(
      id: id, display: display, kind: "banner", summary: "Notes", ended: Timestamp(milliseconds: 0))
  }

  @Test(arguments: [([], 9), (["-d", "DP-1"], 8), (["7"], 7)] as [([String], Int)])
  func `Undo reopens the session that ended last, or the given one`(options: [String], id: Int) async throws {
    try await Running.run { (running: Running) async throws in
      running.service.willHaveClosed([Self.closed(9, "HDMI-A-1"), Self.closed(8, "DP-1"), Self.closed(7, "DP-1")])
      let (status, console) = await running.placard(["undo"] + options)
      #expect(status == 0 && console.text.hasPrefix("session \(id) "))
      #expect(running.service.calls == [.reopen(id)])
      let listed = await running.placard(["sessions", "--closed"]).console.text
      #expect(listed.split(separator: "\n").count == 4 && listed.hasPrefix("ID  DISPLAY   ENDED"))
    }
  }

  @Test func `Undo reports that no session can be reopened`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["undo"])
      #expect(status == 1 && console.errors == "placard: no ended sessions to reopen\n")
      running.service.willHaveClosed([Self.closed(9, "HDMI-A-1")])
      let other = await running.placard(["undo", "-d", "DP-1"])
      #expect(other.status == 1 && other.console.errors == "placard: no session ended on DP-1, but on HDMI-A-1\n")
      #expect(running.service.calls.isEmpty)
    }
  }
}
