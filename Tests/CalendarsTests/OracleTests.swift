import Calendars
import Glibc
import Oracles
import SeededRandom
import Testing

/// A comparison with the date command of coreutils, which uses libc.
struct OracleTests {
  /// All zones in the tz database's own list that are installed. Debian 13 has old names in a package of their own.
  private static let names: [String] = Oracle.lines("sed -n '/^[^#]/p' /usr/share/zoneinfo/tzdata.zi").compactMap {
    line in
    let fields = line.split(separator: " ")
    switch fields.first {
    case "Z": return fields.dropFirst().first.map(String.init)
    case "L": return fields.last.map(String.init)
    default: return nil
    }
  }.filter { unsafe access("/usr/share/zoneinfo/\($0)", R_OK) == 0 }

  @Test func `Every zone agrees with libc at random moments`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    try #require(Self.names.count > 300, "the package tzdata has tzdata.zi")
    for name in Self.names.shuffled(using: &generator).prefix(60) {
      let zone = try Zone(named: name)
      let moments = (0..<200).map { _ in Int64.random(in: 0...4_102_444_800, using: &generator) }
      let shown = Oracle.lines(
        "TZ='\(name)' date -f - '+%Y-%m-%d %H:%M:%S %s %w %z %Z' <<'END'\n"
          + moments.map { "@\($0)\n" }.joined() + "END\n")
      try #require(shown.count == moments.count)
      for (seconds, line) in zip(moments, shown) {
        let time = zone.civil(atSeconds: seconds)
        let words = "\(Shown.day(time)) \(time.clock(seconds: true)) \(seconds) \(time.weekday.rawValue)"
        #expect("\(words) \(offset(time)) \(time.abbreviation)" == line, "\(name), seed \(seed)")
      }
    }
  }

  private func offset(_ time: CivilTime) -> String {
    // libc abbreviates uninhabited places as "-00".
    if time.abbreviation == "-00" { return "-0000" }
    let minutes = abs(time.utcOffset) / 60
    let digits = String(10_000 + minutes / 60 * 100 + minutes % 60).dropFirst()
    return (time.utcOffset < 0 ? "-" : "+") + digits
  }
}
