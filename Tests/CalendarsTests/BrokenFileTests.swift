import Glibc
import SeededRandom
import Testing

@testable import Calendars

/// Invalid and damaged zone files.
struct BrokenFileTests {
  private static func file(_ name: String) throws -> [UInt8] {
    let file = unsafe try #require(fopen("/usr/share/zoneinfo/\(name)", "re"))
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = unsafe getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return bytes
  }

  @Test func `A file truncated at any byte is rejected`() throws {
    let bytes = try Self.file("Asia/Kathmandu")
    #expect(throws: Never.self) { try Zone(name: nil, file: bytes) }
    for count in 0..<bytes.count {
      #expect(throws: ZoneFileError.self) { try Zone(name: nil, file: Array(bytes.prefix(count))) }
    }
  }

  @Test(arguments: ["Europe/Berlin", "America/New_York", "Africa/Casablanca", "Asia/Kathmandu", "Etc/UTC"])
  func `A damaged file is rejected or read, but never traps`(name: String) throws {
    let bytes = try Self.file(name)
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        // Most bytes are times. The counts and the rule are at the ends.
        let place = [
          Int.random(in: 0..<damaged.count, using: &generator), Int.random(in: 0..<44, using: &generator),
          damaged.count - Int.random(in: 1...20, using: &generator),
        ].randomElement(using: &generator)
        let values = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
        damaged[place ?? 0] = values.randomElement(using: &generator) ?? 0
      }
      guard let zone = try? Zone(name: nil, file: damaged) else { continue }
      for seconds in [Int64.min, 0, 1_800_000_000, 4_102_444_800, .max] {
        let time = zone.civil(atSeconds: seconds)
        #expect(abs(time.utcOffset) <= 26 * 3600)
        _ = (zone.nextMinute(after: seconds), zone.nextDay(after: seconds))
      }
      _ = zone.seconds(of: try DateTime("9999-12-31T23:59:59"))
    }
  }

  @Test func `Files with leap seconds are rejected with that reason`() throws {
    // The second header with one leap second, whose count is in its bytes 29 to 32.
    var bytes = try Self.file("Etc/UTC")
    let second = try #require(bytes.dropFirst(4).indices.first { bytes[$0...].starts(with: "TZif".utf8) })
    bytes[second + 31] = 1
    #expect(throws: ZoneFileError.leapSeconds) { try Zone(name: nil, file: bytes) }
  }

  @Test func `Version 1 files have 32-bit times and no rule`() throws {
    let header = Array("TZif\0".utf8) + [UInt8](repeating: 0, count: 15)
    let counts: [UInt8] = [0, 0, 0, 0] + [0, 0, 0, 0] + [0, 0, 0, 0] + [0, 0, 0, 1] + [0, 0, 0, 2] + [0, 0, 0, 8]
    let change: [UInt8] = [0x40, 0, 0, 0] + [1]
    let clocks: [UInt8] = [0, 0, 0x0E, 0x10, 0, 0] + [0xFF, 0xFF, 0xF1, 0xF0, 1, 4]
    let zone = try Zone(name: nil, file: header + counts + change + clocks + Array("ABC\0DEF\0".utf8))
    #expect(Shown.words(zone.civil(atSeconds: 0)) == "1970-01-01 01:00:00 +3600 ABC")
    #expect(Shown.words(zone.civil(atSeconds: 1 << 30)) == "2004-01-10 12:37:04 -3600 DEF")
  }

  @Test(arguments: [
    ("EST5EDT,M3.2.0,M11.1.0", 1_800_000_000, "2027-01-15 03:00:00 -18000 EST"),
    ("EST5EDT,M3.2.0,M11.1.0", 1_815_000_000, "2027-07-07 18:40:00 -14400 EDT"),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_806_195_600, "2027-03-28 00:00:00 -3600 -01"),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_806_195_599, "2027-03-27 22:59:59 -7200 -02"),
    // Daylight saving time all year (RFC 9636, 3.3.1).
    ("XXX3EDT4,0/0,J365/23", 1_798_761_599, "2026-12-31 19:59:59 -14400 EDT"),
    ("XXX3EDT4,0/0,J365/23", 1_798_772_400, "2026-12-31 23:00:00 -14400 EDT"),
    ("AAA0BBB,J60/0,J61/0", 1_835_395_200, "2028-02-29 00:00:00 +0 AAA"),
    ("AAA0BBB,J60/0,J61/0", 1_835_481_600, "2028-03-01 01:00:00 +3600 BBB"),
    ("AAA0BBB,59/0,60/0", 1_835_395_200, "2028-02-29 01:00:00 +3600 BBB"),
    ("<+0330>-3:30:15", 0, "1970-01-01 03:30:15 +12615 +0330"),
  ])
  func `POSIX rules apply after the last transition`(rule: String, seconds: Int64, shown: String) throws {
    let clock = try #require(YearlyRule(rule)).clock(at: seconds)
    let time = CivilTime(
      local: seconds + clock.offset, offset: Int(clock.offset), abbreviation: clock.abbreviation)
    #expect(Shown.words(time) == shown)
  }

  @Test(arguments: [
    "", "A", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-25", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.5.0,M10.5.7",
    "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,J0,J366", "CET-1CEST,M3.5.0/168,M10.5.0", "<A-1",
    "CET-1CEST,M3.5.0,M10.5.0x", "CET-99999999999999999999",
  ])
  func `An invalid rule is rejected`(rule: String) {
    #expect(YearlyRule(rule) == nil)
  }
}
