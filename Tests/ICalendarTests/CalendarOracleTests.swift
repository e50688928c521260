import Calendars
import Glibc
import ICalendar
import Oracles
import Testing

/// A comparison of iCalendar files with Python's dateutil and zoneinfo.
struct CalendarOracleTests {
  /// The number of files: PLACARD_CALENDARS=20000 compares more.
  private static let count = unsafe getenv("PLACARD_CALENDARS").flatMap { unsafe Int(String(cString: $0)) } ?? 400

  @Test func `Repeated events take place when dateutil and zoneinfo say`() throws {
    let seed = UInt32.random(in: 0...UInt32.max)
    let script = #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/oracle.py"
    let python = Oracle.python(with: "dateutil")
    let lines = Oracle.lines("\(python) '\(script)' \(seed) \(Self.count)")
    var (cases, times) = (0, 0)
    var place = 0
    while place < lines.count {
      let file = lines[place].dropFirst(5).split(separator: "|").joined(separator: "\r\n")
      let window = lines[place + 1].split(separator: " ", maxSplits: 3)
      let (start, end) = (try #require(Int64(window[1])), try #require(Int64(window[2])))
      place += 2
      var expected: [Range<Int64>] = []
      while place < lines.count, lines[place].hasPrefix("event") {
        let words = lines[place].split(separator: " ")
        expected.append(try #require(Int64(words[1]))..<(try #require(Int64(words[2]))))
        place += 1
      }
      let words = lines[place - expected.count - 1]
      let events = try ICalendarFile.events(in: Array(file.utf8), at: 0)
      let event = events.first { $0.summary == "one" }
      let zone = try Zone(named: event?.zone ?? String(window[3].split(separator: " ")[1]))
      // An event of which all times are exceptions is left out.
      let found = try event?.times(in: start..<end, zone: zone).filter { $0.lowerBound >= start } ?? []
      #expect(found == expected, "\(words), seed \(seed)")
      cases += 1
      times += found.count
    }
    print("\(cases) calendars with \(times) times, seed \(seed)")
    #expect(cases > Self.count / 2)
  }
}
