import Calendars
import Control
import Glibc

/// The clock and time zone of the machine, for times that people write and read.
struct WallClock: Sendable {
  /// The current time in seconds since 1970-01-01 00:00 UTC.
  let now: Int64
  /// The local time zone.
  let zone: Zone

  /// Returns the current time in the machine's time zone, or in UTC if that is unknown.
  static func system() -> WallClock {
    WallClock(now: Int64(time(nil)), zone: (try? Zone.system()) ?? .utc)
  }

  /// Parses a time: `now`, a day, a duration before now, or a date and time in ISO 8601.
  ///
  /// The days `today` and `yesterday` mean their start. A date and time without an offset is in `zone`.
  ///
  /// - Parameter words: The text, such as `2h`.
  /// - Returns: Milliseconds since 1970-01-01 00:00 UTC; nil for any other text.
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

  /// Returns the time of an option `--at`, in milliseconds since 1970; nil without a text.
  func milliseconds(ofOption text: String?) throws(Failure) -> Int64? {
    guard let text else { return nil }
    do throws(DateTimeError) {
      let time = zone.seconds(of: try DateTime(text)) * 1000
      guard ScheduleQuery.permittedTimes.contains(Int(time)) else {
        throw DateTimeError.value(text, "it is before 1970")
      }
      return time
    } catch {
      throw Failure(.usage, "--at: \(error).")
    }
  }

  /// Returns the local date and time: `2026-11-21 17:01:38`.
  func text(milliseconds: Int64) -> String {
    let rounded = milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
    let clock = zone.civil(atSeconds: rounded)
    let day = [clock.year, clock.month, clock.day].map(Self.padded).joined(separator: "-")
    return day + " " + [clock.hour, clock.minute, clock.second].map(Self.padded).joined(separator: ":")
  }

  /// Returns the local time, `17:01:38`, with the date unless it is today's.
  func short(milliseconds: Int64) -> String {
    let whole = text(milliseconds: milliseconds)
    return whole.prefix(10) == text(milliseconds: now * 1000).prefix(10) ? String(whole.dropFirst(11)) : whole
  }

  /// Returns the same text as `short(milliseconds:)` with milliseconds: `17:01:38.042`.
  func precise(milliseconds: Int64) -> String {
    let rest = (milliseconds % 1000 + 1000) % 1000
    return short(milliseconds: milliseconds) + "." + String("\(1000 + rest)".dropFirst())
  }

  /// Returns the time at which a day began, in seconds since 1970.
  private func beginning(ofDayBefore days: Int64) -> Int64 {
    let today = zone.civil(atSeconds: now)
    // Days have 23 to 25 hours, so the date is that of noon.
    let noon = now - Int64(today.hour * 3600 + today.minute * 60 + today.second) + 43200 - days * 86400
    let day = zone.civil(atSeconds: noon)
    let midnight = [day.year, day.month, day.day].map(Self.padded).joined(separator: "-")
    return (try? DateTime(midnight)).map(zone.seconds(of:)) ?? noon
  }

  private static func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
