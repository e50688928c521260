import Calendars
import Glibc

/// The machine's clock and zone, for what people write and read.
struct WallClock: Sendable {
  /// Seconds since the beginning of 1970, UTC.
  let now: Int64
  /// Where the clocks on the wall are.
  let zone: Zone

  /// The machine's own, now; in UTC where its zone is not known.
  static func system() -> WallClock {
    WallClock(now: Int64(time(nil)), zone: (try? Zone.system()) ?? .utc)
  }

  /// Milliseconds since 1970 of a moment in words: `now`, `today`, `yesterday` (their beginnings), `2h` ago, or a date
  /// and time in ISO 8601, which is the zone's unless it has an offset of its own. Nil for anything else.
  func milliseconds(of words: String) -> Int64? {
    switch words {
    case "now": return now * 1000
    case "today": return beginning(ofDayBefore: 0) * 1000
    case "yesterday": return beginning(ofDayBefore: 1) * 1000
    default: break
    }
    if let period = Period(parsing: words) { return (now - Int64(period.seconds)) * 1000 }
    return (try? DateTime(words)).map { zone.seconds(of: $0) * 1000 }
  }

  /// Date and time as the zone's clocks show it, `2026-11-21 17:01:38`.
  func text(milliseconds: Int64) -> String {
    let rounded = milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
    let clock = zone.civil(atSeconds: rounded)
    let day = [clock.year, clock.month, clock.day].map(Self.padded).joined(separator: "-")
    return day + " " + [clock.hour, clock.minute, clock.second].map(Self.padded).joined(separator: ":")
  }

  /// The time alone where it is today's, `17:01:38`; else with its date.
  func short(milliseconds: Int64) -> String {
    let whole = text(milliseconds: milliseconds)
    return whole.prefix(10) == text(milliseconds: now * 1000).prefix(10) ? String(whole.dropFirst(11)) : whole
  }

  /// The same with milliseconds, `17:01:38.042`.
  func precise(milliseconds: Int64) -> String {
    let rest = (milliseconds % 1000 + 1000) % 1000
    return short(milliseconds: milliseconds) + "." + String("\(1000 + rest)".dropFirst())
  }

  /// When the day began that was so many days ago. Days have 23 to 25 hours, so noon is asked for.
  private func beginning(ofDayBefore days: Int64) -> Int64 {
    let today = zone.civil(atSeconds: now)
    let noon = now - Int64(today.hour * 3600 + today.minute * 60 + today.second) + 43200 - days * 86400
    let day = zone.civil(atSeconds: noon)
    let midnight = [day.year, day.month, day.day].map(Self.padded).joined(separator: "-")
    return (try? DateTime(midnight)).map(zone.seconds(of:)) ?? noon
  }

  private static func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
