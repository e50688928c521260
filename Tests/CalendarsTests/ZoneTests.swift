import SeededRandom
import Testing

@testable import Calendars

struct ZoneTests {
  @Test(arguments: [
    // The last second before a transition and the first one after it.
    ("Europe/Berlin", 1_774_745_999, "2026-03-29 01:59:59 +3600 CET"),
    ("Europe/Berlin", 1_774_746_000, "2026-03-29 03:00:00 +7200 CEST"),
    ("Europe/Berlin", 1_792_889_999, "2026-10-25 02:59:59 +7200 CEST"),
    ("Europe/Berlin", 1_792_890_000, "2026-10-25 02:00:00 +3600 CET"),
    ("America/New_York", 1_772_953_199, "2026-03-08 01:59:59 -18000 EST"),
    ("America/New_York", 1_772_953_200, "2026-03-08 03:00:00 -14400 EDT"),
    // A southern zone with a shift of half an hour.
    ("Australia/Lord_Howe", 1_775_314_799, "2026-04-05 01:59:59 +39600 +11"),
    ("Australia/Lord_Howe", 1_775_314_800, "2026-04-05 01:30:00 +37800 +1030"),
    ("Asia/Kathmandu", 1_800_000_000, "2027-01-15 13:45:00 +20700 +0545"),
    // A skipped day: 30 December 2011.
    ("Pacific/Apia", 1_325_239_199, "2011-12-29 23:59:59 -36000 -10"),
    ("Pacific/Apia", 1_325_239_200, "2011-12-31 00:00:00 +50400 +14"),
    // Before 1970, with an offset that has seconds.
    ("Africa/Monrovia", -2_000_000_000, "1906-08-16 19:43:32 -2588 MMT"),
    ("Europe/Dublin", 1_800_000_000, "2027-01-15 08:00:00 +0 GMT"),
    ("Europe/Dublin", 4_087_000_000, "2099-07-06 06:46:40 +3600 IST"),
    ("UTC", -1, "1969-12-31 23:59:59 +0 UTC"),
  ])
  func `Clocks agree with the tz database`(name: String, seconds: Int64, shown: String) throws {
    #expect(Shown.words(try Zone(named: name).civil(atSeconds: seconds)) == shown)
  }

  @Test func `A repeated hour means its first occurrence, and a skipped hour moves forward`() throws {
    let berlin = try Zone(named: "Europe/Berlin")
    #expect(berlin.seconds(of: try DateTime("2026-10-25T02:30")) == 1_792_888_200)
    #expect(berlin.seconds(of: try DateTime("2026-10-25T03:00")) == 1_792_893_600)
    #expect(berlin.seconds(of: try DateTime("2026-03-29T02:30")) == 1_774_747_800)
    #expect(berlin.civil(atSeconds: 1_774_747_800).clock() == "03:30")
    #expect(berlin.seconds(of: try DateTime("2026-10-25T02:30+01:00")) == 1_792_891_800)
    let apia = try Zone(named: "Pacific/Apia")
    #expect(apia.seconds(of: try DateTime("2011-12-30T12:00")) == 1_325_239_200 + 12 * 3600)
  }

  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca", "Pacific/Apia",
    "America/Nuuk", "America/Sao_Paulo", "Africa/Monrovia", "Pacific/Kiritimati", "UTC",
  ])
  func `A local time converts back to its moment unless it is repeated`(name: String) throws {
    let zone = try Zone(named: name)
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let seconds = Int64.random(in: -1_000_000_000...4_102_444_800, using: &generator)
      let shown = zone.civil(atSeconds: seconds)
      let again = zone.seconds(of: try DateTime(Shown.dateTime(shown)))
      #expect(again <= seconds && zone.civil(atSeconds: again).clock(seconds: true) == shown.clock(seconds: true))
      #expect(again == seconds || seconds - again <= 86400, "\(name) at \(seconds), seed \(seed)")
      for (next, length) in [(zone.nextMinute(after: seconds), 60), (zone.nextDay(after: seconds), 86400 + 7200)] {
        #expect(next > seconds && next - seconds <= length, "\(name) at \(seconds), seed \(seed)")
      }
    }
  }

  @Test func `The next minute is the zone's next full minute or its next transition`() throws {
    let berlin = try Zone(named: "Europe/Berlin")
    #expect(berlin.nextMinute(after: 1_774_745_999) == 1_774_746_000)
    #expect(berlin.nextMinute(after: 1_774_746_000) == 1_774_746_060)
    // Liberia was 44 minutes and 30 seconds behind UTC until 1972.
    let monrovia = try Zone(named: "Africa/Monrovia")
    #expect(monrovia.nextMinute(after: 0) == 30)
    #expect(monrovia.nextMinute(after: 30) == 90)
    // On 7 January 1972 its clocks moved from 00:00 to 00:44:30.
    #expect(monrovia.civil(atSeconds: 63_593_070).clock(seconds: true) == "00:44:30")
    #expect(monrovia.nextMinute(after: 63_593_069) == 63_593_070)
    #expect(monrovia.nextMinute(after: 63_593_070) == 63_593_100)
  }

  @Test func `The next day begins at midnight, or later if midnight is skipped`() throws {
    let berlin = try Zone(named: "Europe/Berlin")
    #expect(berlin.nextDay(after: 1_774_745_999) == berlin.seconds(of: try DateTime("2026-03-30")))
    // 4 November 2018 began at 01:00 in São Paulo.
    let saoPaulo = try Zone(named: "America/Sao_Paulo")
    let next = saoPaulo.nextDay(after: saoPaulo.seconds(of: try DateTime("2018-11-03T12:00")))
    #expect(Shown.words(saoPaulo.civil(atSeconds: next)) == "2018-11-04 01:00:00 -7200 -02")
    // On 17 February 2018 the hour from 23:00 to 24:00 occurred twice.
    let back = saoPaulo.nextDay(after: saoPaulo.seconds(of: try DateTime("2018-02-17T23:30")))
    #expect(Shown.words(saoPaulo.civil(atSeconds: back)) == "2018-02-18 00:00:00 -10800 -03")
  }

  @Test func `Moments at the limits of Int64 do not trap`() throws {
    for zone in [Zone.utc, try Zone(named: "Europe/Berlin"), try Zone(named: "America/Nuuk")] {
      for seconds in [Int64.min, Int64.max, -62_167_219_200, -62_167_219_201] {
        #expect((1...31).contains(zone.civil(atSeconds: seconds).day))
        _ = (zone.nextMinute(after: seconds), zone.nextDay(after: seconds))
      }
    }
    #expect(Zone.utc.civil(atSeconds: -62_167_219_201).year == -1)
  }

  @Test func `Invalid names are rejected with the next step`() throws {
    for name in ["", "Europe/Atlantis", "../../../etc/passwd", "/etc/localtime", "Europe//Berlin", "Europe/.", "a\0b"] {
      #expect(throws: ZoneError.unknown(name: name)) { try Zone(named: name) }
    }
    #expect(throws: (any Error).self) { try Zone(named: "Europe") }
    #expect(throws: ZoneError.broken(path: "/usr/share/zoneinfo/tzdata.zi", reason: .content("no TZif header"))) {
      try Zone(named: "tzdata.zi")
    }
    #expect("\(ZoneError.unknown(name: "Mars"))".contains("Europe/Berlin"))
  }

  @Test func `The system's zone is readable`() throws {
    #expect(try Zone.system().civil(atSeconds: 0).year - 1970 >= -1)
  }
}

/// A civil time as one comparable string.
enum Shown {
  static func words(_ time: CivilTime) -> String {
    "\(day(time)) \(time.clock(seconds: true)) \(time.utcOffset < 0 ? "" : "+")\(time.utcOffset) \(time.abbreviation)"
  }

  static func dateTime(_ time: CivilTime) -> String { "\(day(time))T\(time.clock(seconds: true))" }

  static func day(_ time: CivilTime) -> String {
    "\(time.year)-\(time.month < 10 ? "0" : "")\(time.month)-\(time.day < 10 ? "0" : "")\(time.day)"
  }
}
