import Calendars
import Control
import FakeServiceSupport
import Testing

@testable import CommandLineTool

@Suite struct ListCommandTests {
  @Test func `Messages are listed with their ends, and are acknowledged and withdrawn`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["messages"])
      #expect(status == 0)
      #expect(
        console.text == """
          ID  NAME  FOR            PRIORITY  UNTIL            SEEN ON         SHOWS
          5   fire  role:external  100       `placard ack 5`  HDMI-A-1, DP-1  Leave

          """)
      let (_, json) = await running.placard(["messages", "--json"])
      #expect(try decode([LiveMessage].self, json.output) == (await running.service.messages()))
      #expect(await running.placard(["ack", "5"]).status == 0)
      #expect(await running.placard(["withdraw", "6"]).status == 0)
      #expect(running.service.calls == [.acknowledge(5), .withdraw(6)])
    }
  }

  @Test func `Displays are listed with the time of their last state change, without today's date`() {
    let report = { (name: String, state: DisplayReport.State, since: Int64) in
      DisplayReport(
        name: name, state: state, reason: "why", cause: nil, since: Timestamp(milliseconds: since), role: .external,
        card: "memory", driver: "virtual", monitor: nil, identity: nil, mode: nil, width: 0, height: 0, scale: 1,
        message: nil)
    }
    let clock = WallClock(now: 1_795_262_500, zone: .utc)
    let reports = [
      report("DP-1", .stalled, 1_795_262_430_000), report("DP-2", .lost, 1_795_262_430_000 - 86_400_000),
    ]
    #expect(
      DisplaysCommand.lines(reports, clock: clock, .plain) == [
        "DISPLAY  STATE    SINCE                MODE  SCALE  MONITOR  SHOWS",
        "DP-1     stalled  12:00:30             -     1      -        why",
        "DP-2     lost     2026-11-20 12:00:30  -     1      -        why",
      ])
  }

  @Test func `The verbose list has the displays' drivers and missed frames`() {
    let report = { (name: String, missed: Int?) in
      DisplayReport(
        name: name, state: .lit, reason: nil, role: .external, card: "/dev/dri/card0", driver: "i915", monitor: "TST",
        identity: nil, mode: "1920x1080@60", width: 1920, height: 1080, scale: 1, message: "Gate 17",
        missedFrames: missed, missedInARow: missed.map { $0 / 4 })
    }
    let clock = WallClock(now: 1_795_262_500, zone: .utc)
    #expect(
      DisplaysCommand.lines([report("DP-1", 12), report("DP-2", nil)], isVerbose: true, clock: clock, .plain) == [
        "DISPLAY  STATE  SINCE  MODE          SCALE  MONITOR  DRIVER  MISSED  IN A ROW  SHOWS",
        "DP-1     lit    -      1920x1080@60  1      TST      i915    12      3         Gate 17",
        "DP-2     lit    -      1920x1080@60  1      TST      i915    -       -         Gate 17",
      ])
  }

  @Test func `The board lists each display on which an earlier version opened a card`() {
    let open = [("b", "DP-1"), ("b", "HDMI-A-1")].enumerated().map { number, place in
      BoardReport.OpenCard(card: place.0, session: number, display: place.1)
    }
    #expect(
      BoardCommand.lines(BoardReport(board: FakeService.board, revision: "", open: open), .plain) == [
        "COLUMN  CARD  TITLE   OPEN ON",
        "-       a     First   -",
        "-       b     Second  DP-1, HDMI-A-1",
      ])
  }

  @Test func `The list of sessions has covered sessions, and monitors without a session`() async throws {
    let reports = await FakeService().sessions()
    #expect(
      SessionsCommand.lines(reports, .plain) == [
        "ID  DISPLAY        STATE    MONITOR                    TAG    SCENE",
        "2   HDMI-A-1       covered  DEL U2720Q                 lobby  First, Second",
        "-   DP-1           awake    TST                        -      (content for all displays or its role)",
        "1   (was on DP-1)  asleep   DEL-A0C4-1f2e3d4c5b6a7988  -      Closed",
      ])
  }

  @Test func `Empty lists print the next step`() async throws {
    try await Running.run { (running: Running) async throws in
      running.service.empty()
      #expect(
        await running.placard(["messages"]).console.text == "no messages; `placard show --priority 1 TEXT` posts one\n")
      #expect(await running.placard(["sessions"]).console.text == "No monitors yet: connect one.\n")
      #expect(await running.placard(["history"]).console.text.hasPrefix("nothing was shown then; `placard history`"))
      for command in ["messages", "sessions", "history"] {
        #expect(try decode([Int].self, await running.placard([command, "--json"]).console.output).isEmpty)
      }
    }
  }

  @Test func `The history is printed as a table, as JSON and as CSV`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["history", "--since", "1970-01-01T00:00:01Z", "--limit", "3"])
      #expect(status == 0 && console.text.contains("  ~") && console.text.contains("  HDMI-A-1  2        board  First"))
      let (_, json) = await running.placard(["history", "--json", "-d", "DP-1", "--until", "1970-01-02T00:00Z"])
      let query = HistoryQuery(until: 86_400_000, display: "DP-1")
      #expect(running.service.calls == [.history(HistoryQuery(since: 1000, limit: 3)), .history(query)])
      #expect(try decode([HistoryLine].self, json.output) == (await running.service.history(query)))
      let (_, csv) = await running.placard(["history", "--csv"])
      #expect(csv.text.hasPrefix("display,monitor,") && csv.text.contains("2026-11-21T16:01:38.123Z"))
    }
  }

  @Test func `The status prints the storage location`() {
    var status = ServiceStatus(
      version: "1", backend: .kms, pid: 7, lit: 0, connected: 0, problems: [], storage: "/var/lib/placard/placard.db")
    #expect(StatusCommand.lines(status, .plain).last == "storage: /var/lib/placard/placard.db")
    status.address = "http://192.0.2.7:8080/"
    #expect(StatusCommand.lines(status, .plain).contains("page: http://192.0.2.7:8080/"))
  }
}

@Suite struct WallClockTests {
  /// 01:30 on 26 October 2026, in the night after Berlin's clocks were set back.
  private func berlin() throws -> WallClock { WallClock(now: 1_792_974_600, zone: try Zone(named: "Europe/Berlin")) }

  @Test(arguments: [
    ("now", 1_792_974_600), ("90s", 1_792_974_510), ("2h", 1_792_967_400), ("1d", 1_792_888_200),
    ("today", 1_792_969_200), ("yesterday", 1_792_879_200), ("2026-10-25", 1_792_879_200),
    ("2026-10-26T00:00", 1_792_969_200), ("2026-10-26T00:00:01Z", 1_792_972_801),
  ])
  func `Times are parsed in local time`(words: String, seconds: Int64) throws {
    #expect(try berlin().milliseconds(of: words) == seconds * 1000)
  }

  @Test func `Times are printed in local time`() throws {
    #expect(try berlin().text(milliseconds: 1_792_974_600_999) == "2026-10-26 01:30:00")
    #expect(try berlin().text(milliseconds: -1) == "1970-01-01 00:59:59")
  }

  @Test(
    arguments: [
      ("1s", 1), ("10m", 600), ("1h30m", 5400), ("2d", 172_800), ("1w", 604_800), ("0s", nil), ("", nil), ("10", nil),
      ("m", nil), ("-1s", nil), ("1 s", nil), ("+1s", nil), ("99999999999999999999s", nil), ("1h30", nil),
      ("4294967295w4294967295w", nil), ("٣s", nil),
    ] as [(String, Int?)])
  func `A duration consists of numbers with units`(text: String, seconds: Int?) {
    #expect(Period(parsing: text)?.seconds == seconds)
  }
}
