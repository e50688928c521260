import Logging
import Testing

@testable import Service

@Suite struct LogLinesTests {
  @Test("on a terminal or in a file a line has its time, in UTC, and its level")
  func withTime() {
    #expect(LogLines.line(.warning, "DP-1: dark", at: 1_769_903_998) == "2026-01-31T23:59:58Z warning: DP-1: dark\n")
  }

  @Test(
    "in the journal a line has its priority instead",
    arguments: [
      (Logger.Level.critical, "<2>"), (.error, "<3>"), (.warning, "<4>"), (.notice, "<5>"), (.info, "<6>"),
      (.debug, "<7>"),
    ])
  func forJournal(_ level: Logger.Level, _ prefix: String) {
    #expect(LogLines.line(level, "DP-1: dark", at: nil) == prefix + "DP-1: dark\n")
  }

  @Test("a log line stays one line for any monitor name")
  func oneLine() {
    let line = LogLines.line(.info, "DP-1: a\nb\r\u{1B}[31mc\u{85}d é 寿", at: nil)
    #expect(line == "<6>DP-1: a b  [31mc d é 寿\n")
  }
}
